"""Which data and shapes are taken, and which results are expected of them?"""
