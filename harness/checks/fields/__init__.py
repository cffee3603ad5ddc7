"""What does a plugin do with its fields: all of them, some, in another order, damaged?"""
