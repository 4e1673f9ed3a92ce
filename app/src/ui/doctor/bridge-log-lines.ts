/** The names of pino's numeric levels. */
const levels: Readonly<Record<number, string>> = { 10: "trace", 20: "debug", 30: "info", 40: "warn", 50: "error", 60: "fatal" };
/** Fields that are left out, because they are the same in every line or shown elsewhere. */
const DULL: ReadonlySet<string> = new Set(["level", "time", "pid", "hostname", "msg"]);

/** The bridge's log in readable form: time, level, message, then the fields. A line that is not JSON is left unchanged. */
export function readableLog(text: string): string {
	return text.split("\n").map(readable).join("\n");
}

function readable(line: string): string {
	const entry = parse(line);
	if (entry === undefined) return line;
	const { level, time, msg } = entry;
	const at = typeof time === "number" ? new Date(time) : undefined;
	const when = at === undefined || Number.isNaN(at.getTime()) ? "" : `${at.toLocaleDateString("sv")} ${at.toLocaleTimeString("sv")}`;
	const fields = Object.entries(entry)
		.filter(([name]) => !DULL.has(name))
		.map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
	return [when, (levels[Number(level)] ?? String(level ?? "")).padEnd(5), String(msg ?? ""), ...fields].join("  ").trim();
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
	if (!line.startsWith("{")) return undefined;
	try {
		const value: unknown = JSON.parse(line);
		return typeof value === "object" && value !== null ? { ...value } : undefined;
	} catch {
		return undefined;
	}
}
