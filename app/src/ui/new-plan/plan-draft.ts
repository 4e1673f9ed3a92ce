import type { ChannelId, NewPlan, ProviderId, RequestId, Routing } from "@xworkmate/contracts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { instantOf, localZone, movedTimeNote } from "../../text/zoned-time.ts";
import { localDate } from "../text/local-date.ts";
import { oneLine } from "../text/visible-text.ts";

const words = plansPageWords.form;

/** How often a plan repeats: a choice, or a cron expression. */
export type Every = "hour" | "day" | "weekday" | "week" | "month" | "cron";

export interface DraftDelivery {
	/** Distinguishes the rows of the form. */
	readonly key: number;
	readonly channel: ChannelId;
	/** The id of a contact; empty for the channel's owner. */
	readonly recipient: string;
	readonly subject: string;
	readonly attach: boolean;
	/** The message's own text, if it differs from that of the other messages. */
	readonly content?: string;
}

/** The form's content, as it was typed. */
export interface PlanDraft {
	readonly title: string;
	/** What the agent is to do. */
	readonly instructions: string;
	/** The work items that came with these instructions. Instructions that were typed are a single item. */
	readonly kept?: { readonly instructions: string; readonly work: readonly string[] };
	readonly routing: Routing | undefined;
	readonly workingDirectory: string;
	/** Who writes the message. */
	readonly writer: "agent" | "person";
	readonly text: string;
	readonly to: readonly DraftDelivery[];
	readonly when: "now" | "once" | "repeats";
	/** `2026-11-23`, by this computer's clock. */
	readonly date: string;
	/** `09:00`: for `once` by this computer's clock, for `repeats` in the plan's time zone. */
	readonly time: string;
	/** The exact time, to the second. It applies only while `date` and `time` still name the same minute. */
	readonly exactly?: string;
	readonly every: Every;
	/** For `week`: cron's numbers, in which 0 is Sunday. */
	readonly days: readonly number[];
	/** For `month`. */
	readonly dayOfMonth: number;
	readonly cron: string;
	readonly timezone: string;
	/** Undefined to use the bridge's setting. */
	readonly catchUpHours: number | undefined;
	readonly overlap: NewPlan["overlap"];
	readonly conversation: NewPlan["conversation"];
	readonly whenDeclined: NewPlan["whenDeclined"];
}

export function emptyDraft(now: Date, routing: Routing | undefined): PlanDraft {
	const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
	return {
		title: "",
		instructions: "",
		routing,
		workingDirectory: "",
		writer: "agent",
		text: "",
		to: [{ key: 1, channel: "dashboard", recipient: "", subject: "", attach: false }],
		when: "repeats",
		date: localDate(tomorrow),
		time: "09:00",
		every: "day",
		days: [1],
		dayOfMonth: 1,
		cron: "0 9 * * *",
		timezone: localZone(),
		catchUpHours: 24,
		overlap: "skip",
		conversation: "fresh",
		whenDeclined: "review",
	};
}

/** The schedule as the bridge expects it. */
export function scheduleOf(draft: PlanDraft): Pick<NewPlan, "type" | "timezone"> & { scheduledFor?: string; cron?: string } {
	const { when, timezone, date, time } = draft;
	if (when === "now") return { type: "immediate", timezone };
	if (when === "repeats") return { type: "recurring", timezone, cron: cronOf(draft) };
	const given = new Date(draft.exactly ?? Number.NaN);
	const isGiven = localDate(given) === date && localTimeOf(given) === time;
	const zone = localZone();
	const at = isGiven ? given.getTime() : instantOf(`${date}T${time}`, Date.now(), zone);
	return { type: "scheduled", timezone: zone, ...(at !== undefined && { scheduledFor: new Date(at).toISOString() }) };
}

/** For a plan that is due once: says that a clock change skips its time, and which time replaces it. Undefined if the time exists. */
export function movedTimeOf({ when, date, time }: PlanDraft): string | undefined {
	return when === "once" ? movedTimeNote(`${date}T${time}`, Date.now(), localZone()) : undefined;
}

/** The cron expression for the choices in the form. */
export function cronOf({ every, time, days, dayOfMonth, cron }: PlanDraft): string {
	const [hour = 0, minute = 0] = time.split(":").map(Number);
	switch (every) {
		case "hour":
			return `${minute} * * * *`;
		case "day":
			return `${minute} ${hour} * * *`;
		case "weekday":
			return `${minute} ${hour} * * 1-5`;
		case "week":
			return `${minute} ${hour} * * ${[...days].sort().join(",")}`;
		case "month":
			return `${minute} ${hour} ${dayOfMonth} * *`;
		case "cron":
			return cron.trim();
	}
}

/** The title that was typed, or else the beginning of the plan's instructions or message. */
export function titleOf({ title, instructions, text, writer }: PlanDraft): string {
	const given = oneLine(title).trim();
	if (given !== "") return given.slice(0, 200);
	const said = oneLine(writer === "person" ? text : instructions).trim();
	return said.length <= 60 ? said : `${said.slice(0, 59).trimEnd()}…`;
}

/** What is still missing, by field; empty if the plan can be created. */
export function missingOf(draft: PlanDraft): Readonly<Partial<Record<"instructions" | "text" | "to" | "days" | "date", string>>> {
	const { writer, instructions, text, to, when, every, days, time } = draft;
	return {
		...(writer === "agent" && instructions.trim() === "" && draft.kept === undefined && { instructions: words.missingWork }),
		...(writer === "person" && text.trim() === "" && { text: words.missingText }),
		...(writer === "person" && to.length === 0 && { to: words.missingTo }),
		...(when === "repeats" && every === "week" && days.length === 0 && { days: words.missingDays }),
		...(when === "once" && scheduleOf(draft).scheduledFor === undefined && { date: words.missingDate }),
		...(when === "repeats" && every !== "cron" && !isTime(time) && { date: every === "hour" ? words.missingMinute : words.missingTime }),
	};
}

/** False if the time is missing, or if its minute is not from 00 to 59, as may happen while it is typed. */
export function isTime(time: string): boolean {
	return /^\d\d:[0-5]\d$/.test(time);
}

/** The plan that the form describes, with the id of the request that creates it. */
export function newPlanOf(draft: PlanDraft, requestId: RequestId): NewPlan {
	const { writer, instructions, text, to, routing, workingDirectory, catchUpHours, overlap, conversation, whenDeclined } = draft;
	const isGiven = writer === "person";
	const work = draft.kept?.instructions === instructions ? draft.kept.work : [titleOf({ ...draft, title: "" })];
	return {
		requestId,
		title: titleOf(draft),
		instructions: isGiven ? "" : instructions,
		work: isGiven ? [] : work.map((description) => ({ description })),
		delivery: to.map(({ channel, recipient, subject, attach, content }) => ({
			channel,
			...(recipient !== "" && { recipient }),
			...(channel === "email" && subject.trim() !== "" && { subject: oneLine(subject).trim() }),
			...(attach && !isGiven && channel !== "dashboard" && { attach }),
			...((isGiven || content !== undefined) && { content: content ?? text }),
		})),
		...scheduleOf(draft),
		...(routing !== undefined && !isGiven && { routing }),
		...(workingDirectory !== "" && !isGiven && { workingDirectory }),
		...(catchUpHours !== undefined && { catchUp: Math.round(catchUpHours * 3_600_000) }),
		overlap,
		conversation,
		whenDeclined,
	};
}

/** `09:00`, by this computer's clock. */
export function localTimeOf(date: Date): string {
	return `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
}

/** The agent that works on a plan; undefined for the bridge's default. */
export function providerOf({ routing }: PlanDraft): ProviderId | undefined {
	return routing?.providerId;
}
