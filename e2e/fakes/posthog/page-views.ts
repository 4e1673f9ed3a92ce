export interface PageView {
	readonly person: string;
	readonly host: string;
	readonly at: number;
}

/** The one HogQL query that this fake understands. */
const VISITORS =
	"SELECT count(DISTINCT person_id) AS visitors FROM events WHERE event = '$pageview' AND properties.$host = {website} AND timestamp >= toDateTime({start_time}) AND timestamp < toDateTime({end_time})";

/** The page views of a batch; undefined if it is not for this project. */
export function pageViewsIn(batch: Readonly<Record<string, unknown>> | undefined, key: string): PageView[] | undefined {
	if (batch?.api_key !== key || !Array.isArray(batch.batch)) return undefined;
	return batch.batch.map(membersOf).flatMap((event) => {
		const properties = membersOf(event.properties);
		if (event.event !== "$pageview") return [];
		return [{ person: String(event.distinct_id), host: String(properties.$host), at: Date.parse(String(event.timestamp)) }];
	});
}

/** What the query counts; undefined for a query that is not understood. */
export function visitors(query: unknown, views: readonly PageView[]): number | undefined {
	const { kind, query: text, values } = membersOf(query);
	if (kind !== "HogQLQuery" || String(text).replace(/\s+/g, " ").trim() !== VISITORS) return undefined;
	const { website, start_time: from, end_time: to } = membersOf(values);
	const [start, end] = [utc(from), utc(to)];
	if (typeof website !== "string" || Number.isNaN(start) || Number.isNaN(end)) return undefined;
	return new Set(views.filter(({ host, at }) => host === website && at >= start && at < end).map(({ person }) => person)).size;
}

function utc(value: unknown): number {
	return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(value)) ? Date.parse(String(value)) : Number.NaN;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null ? { ...value } : {};
}
