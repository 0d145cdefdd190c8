round(price, 2)
