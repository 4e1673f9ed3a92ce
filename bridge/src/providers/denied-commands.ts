import { reportedLine, type ToolCallId } from "@xworkmate/contracts";
import { hasFinished, type KnownTool } from "./known-tool.ts";
import { evenlySpaced, withoutShell } from "./shell-text.ts";

/** How many denied commands are remembered. */
const REMEMBERED = 100;

interface Denied {
	/**
	 * The calls that were known but not finished when the command was first denied. They may have begun to run the same command before that.
	 */
	readonly begun: ReadonlySet<ToolCallId>;
	/** The denied command as the agent worded it. */
	readonly command: string;
}

/** Finds denied commands that an agent reports as done under the id of another call, without having asked about that call. */
export class DeniedCommands {
	/** By command, in the form that `plain` returns. */
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

	/** Forgets the denial of a command once the command has been allowed, because the agent may then run it. */
	allowed(tool: KnownTool): void {
		const command = commandOf(tool);
		if (command !== undefined) this.#denied.delete(plain(command));
	}

	/** Returns the call after another report. If the report completes the call with a command that was denied, marks it as `unpermitted`. */
	judged(toolCallId: ToolCallId, before: KnownTool | undefined, now: KnownTool): KnownTool {
		const ends = now.state === "completed" && before?.state !== "completed";
		if (!ends || now.unpermitted !== undefined || now.allowed?.looks === true || now.allowed?.command !== undefined) return now;
		const command = commandOf(now);
		const denied = command === undefined ? undefined : this.#denied.get(plain(command));
		if (command === undefined || denied === undefined || denied.begun.has(toolCallId)) return now;
		// Shows the call's own text, because no request contained it. If the denied command's text differs, shows that too.
		const isWordedAlike = evenlySpaced(denied.command) === evenlySpaced(command);
		return { ...now, unpermitted: "denied", ...(!isWordedAlike && { deniedCommand: denied.command }) };
	}
}

function begunIn(calls: ReadonlyMap<ToolCallId, KnownTool>): ReadonlySet<ToolCallId> {
	return new Set([...calls].flatMap(([toolCallId, call]) => (hasFinished(call) ? [] : [toolCallId])));
}

/**
 * The command of a call. Some agents show a command only in the title. A title that names no command, such as "Terminal", is shared by many
 * calls, and one that is cut off may stand for several commands.
 */
function commandOf({ command, toolKind, title }: KnownTool): string | undefined {
	if (command !== undefined) return command.trim();
	const line = toolKind === "execute" ? reportedLine(title, undefined) : undefined;
	return line === undefined || line.isCut ? undefined : line.command.trim();
}

/** Removes a shell around a command and superfluous blanks, because an agent's request and its report may differ in both. */
function plain(command: string): string {
	return evenlySpaced(withoutShell(evenlySpaced(command)));
}
