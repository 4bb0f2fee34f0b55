"""Makes stability.json: the variation and the cliffs of series as numpy computes them.

python3 stability.py > stability.json
"""
import json
import platform

import numpy as np

rng = np.random.default_rng(20261122)
series = []
for n in [6, 7, 8, 8, 8, 12, 30, 100]:
    for depth in [1.0, 0.9, 0.5, 0.2, 2.0]:
        ns = rng.integers(200_000_000, 4_000_000_000, n)
        rate = 30e-3 * np.exp(0.05 * rng.normal(size=n))  # bytes per nanosecond
        rate[int(rng.integers(2, n - 1)):] *= depth
        if depth == 0.9:
            rate[-int(rng.integers(1, 3))] *= 0.2  # one slow interval, last or last but one
        size = np.round(rate * ns).astype(np.int64)
        r = size / ns
        mean = size.sum() / ns.sum()
        cv = 100 * np.sqrt(np.average((r - mean) ** 2, weights=ns)) / mean
        y = np.log(r)
        one = ((y - y.mean()) ** 2).sum()
        # Every place for the fall, written out.
        fits = [(((y[:i] - y[:i].mean()) ** 2).sum() + ((y[i:] - y[i:].mean()) ** 2).sum(), i) for i in range(2, n - 1) if y[:i].mean() > y[i:].mean()]
        mb, percent = None, 100.0
        if fits:
            two, at = min(fits)
            if n * np.log(one / two) > 6 + 4 * np.log(n) and np.exp(np.quantile(y[at:], 0.5, method="higher") - np.quantile(y[:at], 0.5, method="lower")) <= 0.8:
                mb = float(size[:at].sum() / 1e6)
                percent = float(100 * (size[at:].sum() / ns[at:].sum()) / (size[:at].sum() / ns[:at].sum()))
        series.append({"bytes": size.tolist(), "ns": ns.tolist(), "cv": float(cv), "mb": mb, "percent": percent})

print(json.dumps({"made_with": f"Python {platform.python_version()}, numpy {np.__version__}", "series": series}))
