import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type BridgeProcess, startBridge } from "../bridge/bridge-process.ts";
import { seededRandom } from "../machine/seeded-random.ts";
import { type CountedMessages, countMessages } from "./counted-messages.ts";
import { discordOutlet } from "./discord-outlet.ts";
import { emailOutlet } from "./email-outlet.ts";
import type { KillOutlet } from "./kill-outlet.ts";
import { PlanDesk } from "./plan-desk.ts";
import type { Occurrence, Plan } from "./plan-wire.ts";
import { whatsappOutlet } from "./whatsapp-outlet.ts";

export interface DeliveryKillPlan {
	readonly seed: number;
	/** Over all channels. */
	readonly kills: number;
}

/** One kill, and what happened to the messages that were on their way. */
export interface DeliveryKill {
	readonly channel: string;
	/** Where a message was held when the bridge was killed, or `any moment`. */
	readonly point: string;
	/** Plans whose creation had no answer by then. */
	readonly unanswered: number;
	/** Messages that the bridge completed without the user, before or after the kill. */
	readonly completed: number;
	/** Whose outcome was not known until the bridge was told, or found out, that they had arrived. */
	readonly unknownProved: number;
	/** Messages whose outcome was not known until the user said that they had arrived. */
	readonly unknownThere: number;
	/** Messages whose outcome was not known, and which had not arrived: the user sent them again. */
	readonly unknownAgain: number;
}

export interface DeliveryKillReport extends CountedMessages {
	readonly kills: readonly DeliveryKill[];
}

interface Round {
	readonly bridge: BridgeProcess;
	readonly outlet: KillOutlet;
	readonly plans: readonly { readonly terms: Terms; readonly text: string; readonly messages: readonly string[] }[];
	readonly point: string;
	readonly random: () => number;
}

type Terms = Readonly<Record<string, unknown>>;
type Counts = Pick<DeliveryKill, "completed" | "unknownProved" | "unknownThere" | "unknownAgain">;

const MOMENT = "any moment";
/** The messages of a round are gone after about this time. */
const SPREAD_MS = 400;
const limits = { XWORKMATE_SENDS_PER_HOUR: "100000", XWORKMATE_MAX_PLANS: "100000" };
const jonas = { contactId: "jonas", name: "Jonas" };

/**
 * Kills bridges with SIGKILL while plans send mails, WhatsApp messages, posts on Discord, and rows of the inbox, settles what they do not know
 * by what the services have, and counts in the end what arrived. @throws with seed, channel and round, if a message ends in any other way
 */
export async function deliveryKillRounds({ seed, kills }: DeliveryKillPlan): Promise<DeliveryKillReport> {
	const reports = await Promise.all(
		[emailOutlet, whatsappOutlet, discordOutlet].map(async (open, n) => {
			await using outlet = await open();
			return await channelRounds(outlet, seed, Math.floor((kills + n) / 3));
		}),
	);
	const sum = (count: (report: DeliveryKillReport) => number) => reports.reduce((total, report) => total + count(report), 0);
	return {
		kills: reports.flatMap((report) => report.kills),
		expected: sum(({ expected }) => expected),
		sent: sum(({ sent }) => sent),
		rows: sum(({ rows }) => rows),
		doubles: reports.flatMap(({ doubles }) => doubles),
		lost: reports.flatMap(({ lost }) => lost),
		strange: reports.flatMap(({ strange }) => strange),
	};
}

async function channelRounds(outlet: KillOutlet, seed: number, kills: number): Promise<DeliveryKillReport> {
	const { channel, contact, points } = outlet;
	await using bridge = await startBridge({ env: { ...limits, ...outlet.env } });
	await outlet.setUp(bridge);
	await bridge.client().rpc("xworkmate.contacts.put", { ...jonas, addresses: { [channel]: contact } });
	const random = seededRandom(seed);
	const first = Math.floor(random() * points.length);
	const expected: string[] = [];
	const rounds: DeliveryKill[] = [];
	for (let round = 1; round <= kills; round++) {
		const plans = plansOf(`message ${round}`, channel);
		expected.push(...plans.flatMap(({ messages }) => messages));
		// Each point in turn, and any moment between them.
		const point = round % 2 === 0 ? MOMENT : (points[(first + (round - 1) / 2) % points.length] ?? MOMENT);
		try {
			rounds.push({ channel, point, ...(await killedRound({ bridge, outlet, plans, point, random })) });
		} catch (cause) {
			const said = cause instanceof Error ? cause.message : String(cause);
			throw new Error(`seed ${seed}, ${channel}, round ${round}, ${point}: ${said}`, { cause });
		}
	}
	// What a bridge would send again by mistake, it sends when it comes back.
	await bridge.restart("SIGKILL");
	await bridge.restart("SIGTERM");
	return { kills: rounds, ...(await countMessages(new PlanDesk(bridge.client()), outlet, expected)) };
}

/** Given texts and the work of a program, outside and on the dashboard. Each message is `<channel> <text>`. */
function plansOf(name: string, channel: string): Round["plans"] {
	const given = (text: string, target: string, recipient?: string) => ({
		terms: { delivery: [{ channel: target, content: text, ...(recipient === undefined ? {} : { recipient }) }] },
		text,
		messages: [`${target} ${text}`],
	});
	const work = {
		instructions: `console.log("at work"); return "${name} work"`,
		routing: { executionTarget: "agent", providerId: "script" },
		delivery: [{ channel, recipient: jonas.contactId }, { channel: "dashboard" }],
	};
	return [
		given(`${name} owner`, channel),
		given(`${name} other`, channel, jonas.contactId),
		given(`${name} row`, "dashboard"),
		{ terms: work, text: `${name} work`, messages: [`${channel} ${name} work`, `dashboard ${name} work`] },
	].map(({ terms, ...rest }) => ({ terms: { requestId: randomUUID(), ...terms }, ...rest }));
}

async function killedRound({ bridge, outlet, plans, point, random }: Round): Promise<Omit<DeliveryKill, "channel" | "point">> {
	const held = point === MOMENT ? () => delay(random() * SPREAD_MS) : await outlet.hold(point, random);
	let unanswered = plans.length;
	const desk = new PlanDesk(bridge.client());
	const creating = plans.map(({ terms }) =>
		desk.create(terms).then(
			() => {
				unanswered -= 1;
			},
			// The bridge was killed before it answered: it is asked again.
			() => undefined,
		),
	);
	await held();
	const lacking = unanswered;
	await bridge.kill("SIGKILL");
	await Promise.all(creating);
	await bridge.start();
	await outlet.back(bridge, point);
	return { unanswered: lacking, ...(await settleAll(new PlanDesk(bridge.client()), outlet, plans)) };
}

/** As a client does it that lost its answers: it asks again for the same plans, and waits for their ends. */
async function settleAll(desk: PlanDesk, outlet: KillOutlet, plans: Round["plans"]): Promise<Counts> {
	const counts = { completed: 0, unknownProved: 0, unknownThere: 0, unknownAgain: 0 };
	const created = plans.map(async ({ terms, text }) => ({ plan: await desk.create(terms), text }));
	for (const { plan, text } of await Promise.all(created)) {
		const occurrence = await desk.settled(plan.planId);
		for (const { actionId, status, code } of occurrence.delivery) {
			if (status === "completed") counts.completed += 1;
			else if (status !== "unknown") throw new Error(`${actionId} is ${status} ${code ?? ""}: ${JSON.stringify(occurrence)}`);
			else counts[await settleUnknown({ desk, outlet, plan, occurrence, actionId, text })] += 1;
		}
	}
	return counts;
}

interface UnknownMessage {
	readonly desk: PlanDesk;
	readonly outlet: KillOutlet;
	readonly plan: Plan;
	readonly occurrence: Occurrence;
	readonly actionId: string;
	readonly text: string;
}

/**
 * Does what the user would: checks whether the message is there, says so unless the bridge learns it from the service, and sends it again
 * if it is not.
 */
async function settleUnknown({ desk, outlet, plan, occurrence, actionId, text }: UnknownMessage): Promise<keyof Counts> {
	const { occurrenceId, revision } = occurrence;
	const isThere = (await outlet.arrived()).includes(text);
	if (isThere && outlet.isProved) {
		await desk.until(plan.planId, `a proof of ${actionId}`, ({ occurrence: now }) => now?.status === "completed");
		return "unknownProved";
	}
	const { applied } = await desk.decide("settle", { occurrenceId, revision, actionId, outcome: isThere ? "sent" : "not_sent" });
	if (!applied) throw new Error(`${actionId} could not be settled`);
	if (isThere) return "unknownThere";
	await desk.call("resend", { occurrenceId, actionIds: [actionId], requestId: randomUUID() });
	const again = await desk.settled(plan.planId, 2);
	if (again.status !== "completed") throw new Error(`${actionId} was sent again, and is ${JSON.stringify(again)}`);
	return "unknownAgain";
}
