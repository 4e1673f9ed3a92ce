import { text } from "node:stream/consumers";
import {
	ContactId,
	ExecutionTarget,
	isTimeZone,
	NewPlan,
	omitUndefined,
	ProviderId,
	RequestId,
	Routing,
	Timestamp,
} from "@xworkmate/contracts";
import { nanoid } from "nanoid";
import { WrongUsage } from "../../errors/wrong-usage.ts";
import { commandLine } from "../../text/command-line.ts";
import { oneLine } from "../../text/printable.ts";
import { dueWords, instantOf, localZone, movedTimeNote, spanOf } from "../../text/zoned-time.ts";
import type { Output } from "../parts/output.ts";
import { print } from "../parts/print.ts";
import { planLines, readNow } from "./plan-lines.ts";
import { unreadyChannels, unreadyLines } from "./unready-channels.ts";

/** The flags of `xworkmate plans create`, as commander gives them. */
export interface CreateFlags {
	readonly title?: string;
	readonly in?: string;
	readonly at?: string;
	readonly cron?: string;
	readonly timezone?: string;
	readonly email?: readonly string[];
	readonly whatsapp?: readonly string[];
	readonly discord?: readonly string[];
	readonly dashboard?: boolean;
	readonly content?: string;
	readonly subject?: string;
	readonly attach?: boolean;
	readonly instructions?: string;
	readonly work?: readonly string[];
	readonly agent?: string;
	readonly model?: string;
	readonly target?: string;
	readonly cwd?: string;
	readonly quiet?: boolean;
	readonly continue?: boolean;
	readonly overlap?: string;
	/** The thread that the plan's runs belong to. */
	readonly thread?: string;
}

/** As a recipient, this word means the owner of the channel instead of a contact. */
const ME = "me";
const TITLE_LENGTH = 80;

/** `note`: from `dueTimeNote`; says which time replaces one that does not exist. */
export async function createPlan(output: Output, plan: NewPlan, note?: string): Promise<void> {
	const made = await output.api.createPlan(plan);
	const reading = readNow();
	const due = made.nextDueAt === undefined ? [] : [`  Due ${dueWords(Date.parse(made.nextDueAt), reading.now, reading.zone)}.`];
	const watch = `  Follow it: ${commandLine(`plans watch ${made.planId}`)}`;
	const unready = unreadyLines(await unreadyChannels(output, made));
	const notes = [...(note === undefined ? [] : [note]), ...unready];
	print(output, made, ["Created.", ...planLines(made, reading), ...notes.map((line) => `  ${line}`), ...due, watch]);
	// The JSON is the plan as the bridge has it, which does not include that a channel is not ready or that the time was moved.
	if (output.json) for (const line of notes) output.console.note(line);
}

/** Says that the time given with `--at` does not exist on that day, and which time replaces it. Undefined if the time exists. */
export function dueTimeNote({ at, timezone = localZone() }: CreateFlags): string | undefined {
	return at === undefined || !isTimeZone(timezone) ? undefined : movedTimeNote(at, Date.now(), timezone);
}

/**
 * The plan that the flags describe. Times are local unless `--timezone` says otherwise.
 * @throws WrongUsage with what to type instead
 */
export async function newPlan(flags: CreateFlags, now = Date.now()): Promise<NewPlan> {
	const content = flags.content === "-" ? await text(process.stdin) : flags.content;
	const instructions = flags.instructions === "-" ? await text(process.stdin) : (flags.instructions ?? "");
	const work = (flags.work ?? []).map((description) => ({ description }));
	const delivery = deliveries(flags, content);
	if (content !== undefined && content.trim() === "")
		throw invalid(
			"The message is empty.",
			'Write the message (--content "..."), or leave out --content and say what an agent should do (--work "...")',
		);
	if (content !== undefined && (instructions !== "" || work.length > 0))
		throw invalid("With --content, the message is already written, so no agent is needed.", "Leave out --instructions and --work.");
	if (content !== undefined && delivery.length === 0)
		throw invalid("The message has no recipient.", "Say where to send it: --email me, or --dashboard");
	if (content === undefined && instructions.trim() === "" && work.length === 0)
		throw invalid(
			"The plan has nothing to do.",
			'Give a message (--content "..."), or say what an agent should do (--work "...", --instructions "...")',
		);
	const source = flags.title ?? content ?? work[0]?.description ?? instructions;
	return parsed({
		requestId: RequestId.parse(`command-${nanoid()}`),
		title: flags.title ?? oneLine(source, TITLE_LENGTH),
		...{ instructions, work, delivery },
		...schedule(flags, now),
		...planSettings(flags),
	});
}

/** What the flags say about how a plan runs: its agent, folder, thread and rules. */
export function planSettings({ agent, model, target, cwd, quiet, overlap, thread, continue: goesOn }: CreateFlags) {
	return {
		...((agent ?? model ?? target) !== undefined && {
			routing: Routing.parse({
				executionTarget: ExecutionTarget.parse(target ?? "agent"),
				...omitUndefined({ providerId: agent === undefined ? undefined : ProviderId.parse(agent), model }),
			}),
		}),
		...(cwd !== undefined && { workingDirectory: cwd }),
		...(quiet === true && { whenDeclined: "stay_quiet" }),
		...(goesOn === true && { conversation: "continue" }),
		...omitUndefined({ overlap, threadId: thread }),
	};
}

function parsed(plan: unknown): NewPlan {
	const checked = NewPlan.safeParse(plan);
	if (checked.success) return checked.data;
	const [issue] = checked.error.issues;
	throw invalid(
		issue === undefined ? "The plan is invalid." : `${issue.path.join(".") || "The plan"}: ${issue.message}`,
		`See the options: ${commandLine("plans create --help")}`,
	);
}

function deliveries({ email = [], whatsapp = [], discord = [], dashboard, subject, attach }: CreateFlags, content: string | undefined) {
	const message = omitUndefined({ content, attach });
	if (subject !== undefined && email.length === 0) throw invalid("Only an email has a subject.", "Add --email me, or leave out --subject.");
	if (attach === true && content !== undefined)
		throw invalid("With --content, no agent runs, so there are no files to attach.", "Leave out --attach.");
	if (attach === true && email.length + whatsapp.length + discord.length === 0)
		throw invalid("Files can be attached to an email, a WhatsApp message or a Discord message.", "Add --email me, or leave out --attach.");
	return [
		...email.map((to) => ({
			...{ channel: "email" as const, ...message },
			...omitUndefined({ recipient: recipientOf(to), subject }),
		})),
		...whatsapp.map((to) => ({ channel: "whatsapp" as const, ...message, ...omitUndefined({ recipient: recipientOf(to) }) })),
		...discord.map((to) => ({ channel: "discord" as const, ...message, ...omitUndefined({ recipient: recipientOf(to) }) })),
		...(dashboard === true ? [{ channel: "dashboard" as const, ...omitUndefined({ content }) }] : []),
	];
}

function recipientOf(to: string): string | undefined {
	return to.toLowerCase() === ME ? undefined : contact(to);
}

function contact(given: string): string {
	const id = ContactId.safeParse(given);
	if (id.success) return id.data;
	throw invalid(
		`Messages go to you or to a contact, and ${oneLine(given)} is neither.`,
		`Add them first: ${commandLine(given.includes("@") ? `contacts add anna --name "Anna" --email ${oneLine(given)}` : "contacts add --help")}`,
	);
}

function schedule(flags: CreateFlags, now: number) {
	const timezone = flags.timezone ?? localZone();
	if (!isTimeZone(timezone))
		throw invalid(`${oneLine(timezone)} is not a known time zone.`, "Use an IANA name, such as --timezone Asia/Bangkok");
	if (flags.cron !== undefined) return { type: "recurring", cron: flags.cron, timezone };
	if (flags.in === undefined && flags.at === undefined) return { type: "immediate", timezone };
	const at = flags.in === undefined ? instantOf(flags.at ?? "", now, timezone) : later(now, spanOf(flags.in));
	if (at === undefined)
		throw flags.in === undefined
			? invalid(
					`The time can't be read: ${oneLine(flags.at ?? "")}`,
					'Use a format such as --at 09:00, --at "tomorrow 09:00" or --at "2026-12-01 09:00"',
				)
			: invalid(`The duration can't be read: ${oneLine(flags.in)}`, "Use a format such as --in 90s, --in 1m, --in 2h or --in 1d12h");
	if (at <= now) throw invalid("That time has passed.", "Use a future time, or leave out the time to begin immediately.");
	return { type: "scheduled", scheduledFor: Timestamp.parse(new Date(at).toISOString()), timezone };
}

function later(now: number, span: number | undefined): number | undefined {
	return span === undefined ? undefined : now + span;
}

function invalid(message: string, fix: string): WrongUsage {
	return new WrongUsage(message, fix);
}
