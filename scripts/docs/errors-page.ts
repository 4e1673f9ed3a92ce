import { errorCatalogue } from "../../contracts/src/index.ts";
import { cell } from "./json-schema-text.ts";

const INTRODUCTION = `# Errors

A failed call answers with a JSON-RPC error: \`{code, message, data: {code, retryable, detail?, fix?}}\`. Branch on \`data.code\`; the numbers group codes and are shared. \`retryable\` means that the same call may succeed later without being changed. HTTP says 200 except where the table names a status of its own.

How a run ended is no error of a call: that stands in the snapshot, see [protocol.md](protocol.md#a-runs-end).
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
