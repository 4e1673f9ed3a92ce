export interface WholeInput {
	/** The input with one field per line, if that represents exactly the same value; otherwise as it was sent. */
	readonly text: string;
	readonly bytes: number;
	/** How many fields the input has; undefined if it is not an object. */
	readonly fields?: number;
}

/** A call's input in readable form. Nothing is left out, whatever form the input has. Never throws. */
export function wholeInput(json: string): WholeInput {
	const bytes = new TextEncoder().encode(json).length;
	try {
		const value: unknown = JSON.parse(json);
		// If JavaScript would change numbers or repeated fields, the input is shown as it was sent.
		const isSame = JSON.stringify(value) === json;
		const fields = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value).length : undefined;
		return { text: isSame ? JSON.stringify(value, undefined, "  ") : json, bytes, ...(fields !== undefined && { fields }) };
	} catch {
		// The input is not JSON, or is nested too deeply to be formatted.
		return { text: json, bytes };
	}
}
