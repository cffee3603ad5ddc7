"""What does a callback do besides its answer: cost, allocate, leave behind, change outside?"""
