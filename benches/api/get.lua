-- Reads one job, again and again.
wrk.headers["Authorization"] = "Bearer " .. os.getenv("KEY")
