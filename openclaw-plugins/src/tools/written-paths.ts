import { type HeldToolCall, textParam } from "./tool-call.ts";
import { namedPath } from "./tool-path.ts";

const PATCH_FILE = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;

/** The files that a call to a file tool writes, as the call names them; undefined for any other tool, and for a call without a path. */
export function writtenPaths(call: HeldToolCall): readonly string[] | undefined {
	if (call.toolName === "write" || call.toolName === "edit") {
		const path = namedPath(call);
		return path === undefined ? undefined : [path];
	}
	if (call.toolName !== "apply_patch") return undefined;
	const paths = [...(textParam(call, "input") ?? "").matchAll(PATCH_FILE)].map(([, path = ""]) => path.trim());
	return paths.length === 0 ? undefined : paths;
}

/** The call's params with the scope's placeholder replaced in file paths; undefined if they contain none. */
export function resolveNamedScope(call: HeldToolCall, resolve: (text: string) => string): Record<string, unknown> | undefined {
	for (const name of ["path", "file_path"]) {
		const path = textParam(call, name);
		if (path !== undefined && resolve(path) !== path) return { ...call.params, [name]: resolve(path) };
	}
	const input = call.toolName === "apply_patch" ? textParam(call, "input") : undefined;
	const patched = input?.replace(PATCH_FILE, (line) => resolve(line));
	return input === undefined || patched === input ? undefined : { ...call.params, input: patched };
}
