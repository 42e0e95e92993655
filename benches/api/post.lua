-- Accepts a render of one tiny frame.
wrk.method = "POST"
wrk.headers["Authorization"] = "Bearer " .. os.getenv("KEY")
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"inputProps":{"width":16,"height":16,"fps":1,"durationInFrames":1,"overlays":[]}}'
