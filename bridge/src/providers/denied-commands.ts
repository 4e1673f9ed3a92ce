import { reportedLine, type ToolCallId } from "@xworkmate/contracts";
import { hasFinished, type KnownTool, withoutShell } from "./known-tool.ts";

/** How many denied commands are remembered. */
const REMEMBERED = 100;

/** Finds denied commands that an agent reports as done under the id of another call, about which it didn't ask. */
export class DeniedCommands {
	/** By command: the calls that were known but not finished at its first denial. They may have run the same command before it. */
	readonly #denied = new Map<string, ReadonlySet<ToolCallId>>();

	denied(tool: KnownTool, calls: ReadonlyMap<ToolCallId, KnownTool>): void {
		const command = commandOf(tool);
		if (command === undefined) return;
		const begun = this.#denied.get(command) ?? begunIn(calls);
		this.#denied.delete(command);
		this.#denied.set(command, begun);
		const [oldest] = this.#denied.keys();
		if (this.#denied.size > REMEMBERED && oldest !== undefined) this.#denied.delete(oldest);
	}

	/** Once a command has been allowed, the agent may run it. */
	allowed(tool: KnownTool): void {
		const command = commandOf(tool);
		if (command !== undefined) this.#denied.delete(command);
	}

	/** The call after another report. If the report completes it with a command that was denied, it is marked as `unpermitted`. */
	judged(toolCallId: ToolCallId, before: KnownTool | undefined, now: KnownTool): KnownTool {
		const ends = now.state === "completed" && before?.state !== "completed";
		if (!ends || now.unpermitted !== undefined || now.allowed?.looks === true || now.allowed?.command !== undefined) return now;
		const command = commandOf(now);
		const begun = command === undefined ? undefined : this.#denied.get(command);
		return begun === undefined || begun.has(toolCallId) ? now : { ...now, unpermitted: "denied" };
	}
}

function begunIn(calls: ReadonlyMap<ToolCallId, KnownTool>): ReadonlySet<ToolCallId> {
	return new Set([...calls].flatMap(([toolCallId, call]) => (hasFinished(call) ? [] : [toolCallId])));
}

/**
 * The command of a call. Some agents show it in the title alone; a title that names no command, such as "Terminal", is that of many calls,
 * and one that is cut off may be that of several commands.
 */
function commandOf({ command, toolKind, title }: KnownTool): string | undefined {
	if (command !== undefined) return withoutShell(command);
	const line = toolKind === "execute" ? reportedLine(title, undefined) : undefined;
	return line === undefined || line.isCut ? undefined : withoutShell(line.command);
}
