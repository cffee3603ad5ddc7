"""What happens when two threads are in one plugin, with switches that repeat exactly?"""
