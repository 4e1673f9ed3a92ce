import type { Reply } from "./serve.ts";

export function jsonReply(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
	return { status, headers: { "content-type": "application/json; charset=utf-8", ...headers }, body: JSON.stringify(value) };
}

/** The members of a JSON object; none for anything else. */
export function objectIn(body: string): Readonly<Record<string, unknown>> | undefined {
	try {
		const value: unknown = JSON.parse(body);
		return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
	} catch {
		return undefined;
	}
}
