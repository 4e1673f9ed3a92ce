import { reportedLine, type ToolCallId } from "@xworkmate/contracts";
import { hasFinished, type KnownTool } from "./known-tool.ts";
import { evenlySpaced, withoutShell } from "./shell-text.ts";

/** How many denied commands are remembered. */
const REMEMBERED = 100;

interface Denied {
	/** The calls that were known but not finished at the first denial. They may have run the same command before it. */
	readonly begun: ReadonlySet<ToolCallId>;
	/** As it was denied. */
	readonly command: string;
}

/** Finds denied commands that an agent reports as done under the id of another call, about which it didn't ask. */
export class DeniedCommands {
	/** By command, without what makes no difference to a shell. */
	readonly #denied = new Map<string, Denied>();

	denied(tool: KnownTool, calls: ReadonlyMap<ToolCallId, KnownTool>): void {
		const command = commandOf(tool);
		if (command === undefined) return;
		const key = plain(command);
		const begun = this.#denied.get(key)?.begun ?? begunIn(calls);
		this.#denied.delete(key);
		this.#denied.set(key, { begun, command });
		const [oldest] = this.#denied.keys();
		if (this.#denied.size > REMEMBERED && oldest !== undefined) this.#denied.delete(oldest);
	}

	/** Once a command has been allowed, the agent may run it. */
	allowed(tool: KnownTool): void {
		const command = commandOf(tool);
		if (command !== undefined) this.#denied.delete(plain(command));
	}

	/** The call after another report. If the report completes it with a command that was denied, it is marked as `unpermitted`. */
	judged(toolCallId: ToolCallId, before: KnownTool | undefined, now: KnownTool): KnownTool {
		const ends = now.state === "completed" && before?.state !== "completed";
		if (!ends || now.unpermitted !== undefined || now.allowed?.looks === true || now.allowed?.command !== undefined) return now;
		const command = commandOf(now);
		const denied = command === undefined ? undefined : this.#denied.get(plain(command));
		if (command === undefined || denied === undefined || denied.begun.has(toolCallId)) return now;
		// The call is shown with its own words, which no request was about. So the denied command is named too if its words differ.
		const isWordedAlike = evenlySpaced(denied.command) === evenlySpaced(command);
		return { ...now, unpermitted: "denied", ...(!isWordedAlike && { deniedCommand: denied.command }) };
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
	if (command !== undefined) return command.trim();
	const line = toolKind === "execute" ? reportedLine(title, undefined) : undefined;
	return line === undefined || line.isCut ? undefined : line.command.trim();
}

/** A command without a shell around it and without needless blanks, because agents differ in both between a request and a report. */
function plain(command: string): string {
	return evenlySpaced(withoutShell(evenlySpaced(command)));
}
