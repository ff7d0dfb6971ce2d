-- Step 24: the program names the columns of items itself.

DROP VIEW item_row;
