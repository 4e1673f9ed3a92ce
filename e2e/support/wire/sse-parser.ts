export interface ServerSentEvent {
	readonly id?: string;
	readonly data: string;
}

/**
 * The event stream format of the HTML standard, as far as the bridge's contract uses it: `id` and
 * `data` lines, blank line ends an event, comments are ignored. Feed it text, get the events that
 * the text completed.
 */
export function createSseParser(): (text: string) => readonly ServerSentEvent[] {
	let rest = "";
	let data: string[] = [];
	let id: string | undefined;
	const takeLine = (line: string): ServerSentEvent | undefined => {
		if (line === "") {
			const event = data.length === 0 ? undefined : { data: data.join("\n"), ...(id === undefined ? {} : { id }) };
			data = [];
			id = undefined;
			return event;
		}
		const colon = line.indexOf(":");
		const field = colon < 0 ? line : line.slice(0, colon);
		const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
		if (field === "data") data.push(value);
		else if (field === "id") id = value;
		else if (field !== "" && field !== "event" && field !== "retry") throw new Error(`unknown field in the stream: ${line.slice(0, 80)}`);
		return undefined;
	};
	return (text) => {
		const lines = (rest + text).split(/\r\n|\n/);
		rest = lines.pop() ?? "";
		return lines.map(takeLine).filter((event) => event !== undefined);
	};
}
