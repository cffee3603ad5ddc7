"""Record programs that create plugins: run them once, and write down their uses of plugins as cases."""
