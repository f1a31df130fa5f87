/** An answer with each kind of block. */
export const RICH_ANSWER = String.raw`# Tides, from first principles

The sea rises **twice a day**, although the Moon passes *once*: the [tidal force](https://example.org/tides) stretches the Earth, and ~~gravity alone~~ the *difference* of gravity does it. Use ${'`tide(t)`'} to compute the height, and see __init__ for its start.

## What to measure

1. The **height** of the water
   - at the pier, in metres
   - on the beach, with ${'`gauge --live`'}
2. The time of *high water*
   1. by the clock
   2. by the Moon
3. The wind

- [x] Read the tables
- [ ] Compare them with the gauge

| Port | Range in m | Highest tide |
| :--- | ---: | :---: |
| Saint-Malo | 12.2 | **13.9** |
| Bristol | 11.6 | 14.5 |
| Venice | 0.8 | ${'`1.1`'} |

The height follows from the sum of its parts, where $\omega_i$ is the speed of part $i$:

$$
h(t) = h_0 + \sum_{i=1}^{n} A_i \cos\left(\omega_i t + \varphi_i\right)
$$

> The Moon does not lift the water. It moves it *along*.
>
> — from a lecture

### In code

${'```'}python
def tide(t: float, parts: list[Part]) -> float:
    """The height of the water at the time t."""
    return mean + sum(p.height * cos(p.speed * t + p.phase) for p in parts)
${'```'}

${'```'}ts
export const highWaters = (heights: readonly number[]): number[] =>
  heights.flatMap((height, at) => (height > (heights[at - 1] ?? 0) ? [at] : [])); // one for each rise
${'```'}

${'```'}bash
curl -s https://example.org/gauge.csv | sort -t, -k2 -n | tail -1
${'```'}

As [the tables][tables] show, the *range* differs by place.[^range]

---

[tables]: https://example.org/tables "Tables"
[^range]: Between two neaps it changes by a factor of two.
`;
