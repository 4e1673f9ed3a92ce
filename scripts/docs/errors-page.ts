import { errorCatalogue } from "../../contracts/src/index.ts";
import { cell } from "./json-schema-text.ts";

const INTRODUCTION = `# Errors

A failed call is answered with a JSON-RPC error: \`{code, message, data: {code, retryable, detail?, fix?}}\`. Branch on \`data.code\`, because several codes share a number. \`retryable\` means that the same call may succeed later without a change. Once a method of \`POST /acp/rpc\` has been called, the HTTP status is 200, whatever its error. The table's status is that of other paths, and of requests that are refused before a method is called. If the table names none, it is 200 on \`POST /acp/rpc\`, and 400 or 500 on other paths. \`message\`, \`detail\` and \`fix\` are whole sentences for people and may change.

How a run ended is not an error of a call. It is part of the run's snapshot, see [protocol.md](protocol.md#a-runs-end).
`;

/** docs/errors.md: the error catalogue, ordered by number, in the catalogue's own order within one number. */
export function errorsPage(): string {
	const rows = Object.entries(errorCatalogue)
		.map(([code, definition]) => ({ code, http: undefined, ...definition }))
		.sort((a, b) => b.number - a.number)
		.map(
			({ code, number, http, retryable, meaning, fix }) =>
				`| \`${code}\` | ${number} | ${http ?? ""} | ${retryable ? "yes" : ""} | ${cell(meaning)} | ${cell(fix)} |`,
		);
	return [INTRODUCTION, "| code | number | HTTP | retryable | meaning | what to do |", "|---|---|---|---|---|---|", ...rows, ""].join("\n");
}
