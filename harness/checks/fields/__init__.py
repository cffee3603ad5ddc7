"""What becomes of plugin fields: all of them, some, in another order, damaged?"""
