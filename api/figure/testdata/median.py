"""Makes median.json, what scipy and numpy say of samples with one unit for each contributor: python3 median.py > median.json"""
import json
import platform

import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(20261121)
samples = []
for n in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 16, 17, 20, 25, 36, 50, 71, 100, 333]:
    x = np.sort(np.round(np.exp(rng.normal(4, 1, n)), 3))
    case = {"values": rng.permutation(x).tolist(), "median": float(np.median(x)),
            "p25": float(np.quantile(x, 0.25, method="averaged_inverted_cdf")), "p75": float(np.quantile(x, 0.75, method="averaged_inverted_cdf"))}
    if n >= 6:
        interval = stats.quantile_test(x, p=0.5).confidence_interval(0.95)
        k = int(np.searchsorted(x, interval.low)) + 1
        case |= {"low": float(interval.low), "high": float(interval.high), "confidence": float(1 - 2 * stats.binom.cdf(k - 1, n, 0.5))}
    elif n >= 3:
        logs = np.log(x)
        low, high = np.exp(stats.t.interval(0.95, n - 1, loc=logs.mean(), scale=stats.sem(logs)))
        case |= {"low": float(min(low, x[0])), "high": float(max(high, x[-1])), "confidence": 0.95}
    samples.append(case)

orders = []
for n in list(range(6, 41)) + [99, 100, 101, 999, 1000, 10_000, 123_457, 1_000_000]:
    k = int(stats.binom.ppf(0.025, n, 0.5))
    while 2 * stats.binom.cdf(k - 1, n, 0.5) > 0.05:
        k -= 1
    while 2 * stats.binom.cdf(k, n, 0.5) <= 0.05:
        k += 1
    orders.append({"n": n, "k": k, "confidence": float(1 - 2 * stats.binom.cdf(k - 1, n, 0.5))})

print(json.dumps({"made_with": f"Python {platform.python_version()}, numpy {np.__version__}, scipy {scipy.__version__}", "samples": samples, "orders": orders}, indent=1))
