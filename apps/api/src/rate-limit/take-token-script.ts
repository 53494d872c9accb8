/**
 * The domain's `takeToken` (generic cell rate algorithm) as one atomic step on Redis' clock, so that all API
 * processes share a bucket and no process clock matters. KEYS[1] holds the theoretical arrival time in ms;
 * ARGV are requests per second and burst. Returns {allowed, remaining, retry after ms, reset ms}. The key
 * lives until its bucket is full again.
 */
export const TAKE_TOKEN_SCRIPT = `
local steps_per_ms = 4096
local interval = math.max(1, math.floor(1000 * steps_per_ms / tonumber(ARGV[1]) + 0.5)) / steps_per_ms
local capacity = interval * tonumber(ARGV[2])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local state = tonumber(redis.call('GET', KEYS[1]) or now)
local backlog = math.min(math.max(state - now, 0), capacity)
local wait = backlog + interval - capacity
if wait > 0 then
  return {0, 0, math.ceil(wait), math.ceil(backlog)}
end
backlog = backlog + interval
redis.call('SET', KEYS[1], string.format('%.17g', now + backlog), 'PX', math.ceil(backlog))
return {1, math.floor((capacity - backlog) / interval), 0, math.ceil(backlog)}
`;
