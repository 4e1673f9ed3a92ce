import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { type HeldToolCall, textParam } from "./tool-call.ts";

/** The path in a call to a file tool; OpenClaw accepts either parameter name. */
export function namedPath(call: Pick<HeldToolCall, "params">): string | undefined {
	return textParam(call, "path") ?? textParam(call, "file_path");
}

/**
 * The absolute paths that OpenClaw's file tools may take a path to mean: relative paths start at the conversation's folder, `~` is the home
 * folder, and a leading `@` is dropped unless there is a file of that name.
 */
export function toolPaths(path: string, folder: string): readonly string[] {
	return [path, ...(path.startsWith("@") ? [path.slice(1)] : [])].map((form) => {
		if (form === "~" || form.startsWith("~/")) return join(homedir(), form.slice(1));
		return isAbsolute(form) ? resolve(form) : resolve(folder, form);
	});
}
