import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { type AssistantMetadata, ExecutionTarget, omitUndefined, ProviderId, Routing, ThreadId } from "@xworkmate/contracts";
import type { SendRequest } from "../../api/app-api.ts";
import { WrongUsage } from "../../errors/wrong-usage.ts";
import { commandLine } from "../../text/command-line.ts";
import { mintThreadId, mintTurnId } from "../../threads/domain/minted-ids.ts";
import type { ApproveMode } from "./approval-answers.ts";
import { readAttachments } from "./read-attachments.ts";

/** The flags of `xworkmate run`, as commander gives them. */
export interface RunFlags {
	readonly thread?: string;
	readonly target?: string;
	readonly provider?: string;
	readonly model?: string;
	readonly cwd?: string | false;
	readonly worktree?: true;
	readonly require: readonly string[];
	readonly requireAny?: boolean;
	readonly attach: readonly string[];
	readonly approve: ApproveMode;
	readonly toolPolicy?: AssistantMetadata["toolPolicy"];
	readonly authProfile?: string;
	readonly unattended?: true;
	readonly timeout?: number;
	readonly detach?: boolean;
	readonly json?: boolean;
}

/** The request that `xworkmate run` makes of its message and its flags. */
export async function toRunRequest(prompt: string, flags: RunFlags): Promise<SendRequest> {
	const words = prompt === "-" ? await text(process.stdin) : prompt;
	if (words.trim() === "") throw new WrongUsage("The message is empty.", `Type a message: ${commandLine('run "..."')}`);
	if (flags.cwd === false && flags.worktree)
		throw new WrongUsage("A worktree needs a project folder.", "Leave out --no-cwd or --worktree.");
	const attachments = await readAttachments(flags.attach);
	const { authProfile, toolPolicy, unattended } = flags;
	return {
		// An app that takes over resumes this turn instead of creating another one.
		turnId: mintTurnId(),
		...(flags.thread === undefined ? { begins: mintThreadId() } : { threadId: ThreadId.parse(flags.thread), continues: true }),
		prompt: words,
		routing: toRouting(flags),
		...(flags.cwd || flags.worktree ? { workingDirectory: resolve(flags.cwd || "."), workingDirectoryRequired: true } : {}),
		...(flags.worktree && { worktree: true }),
		...(flags.require.length === 0 ? {} : { require: flags.require }),
		...(flags.requireAny === true && { requiresExport: true }),
		...((authProfile ?? toolPolicy ?? unattended) === undefined
			? {}
			: { assistant: omitUndefined({ authProfile, toolPolicy, unattended }) }),
		...(attachments.length === 0 ? {} : { attachments }),
	};
}

function toRouting({ target = "agent", provider, model }: RunFlags): Routing {
	return Routing.parse({
		executionTarget: ExecutionTarget.parse(target),
		...(provider === undefined ? {} : { providerId: ProviderId.parse(provider) }),
		...(model === undefined ? {} : { model }),
	});
}
