"""What reaches the plugin when a whole engine or program is built, loaded and executed?"""
