import type { BareClient } from "../wire/bare-client.ts";

/** What `GET /metrics` says about plans now. A series that is not there is NaN. */
export async function readSeries(client: BareClient) {
	const { status, body } = await client.http({ path: "/metrics" });
	if (status !== 200) throw new Error(`/metrics was answered with ${status}`);
	const text = body.toString("utf8");
	const value = (series: string) =>
		Number(
			text
				.split("\n")
				.find((line) => line.startsWith(`${series} `))
				?.slice(series.length + 1) ?? Number.NaN,
		);
	return {
		text,
		deliveries: (channel: string, end: string) => value(`xworkmate_deliveries_total{channel="${channel}",end="${end}"}`),
		/** How many scheduled times have begun, and the sum of their seconds of delay. */
		lag: { count: value("xworkmate_schedule_lag_seconds_count"), sum: value("xworkmate_schedule_lag_seconds_sum") },
	};
}
