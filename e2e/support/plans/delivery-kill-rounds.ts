import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type BridgeProcess, startBridge } from "../bridge/bridge-process.ts";
import { seededRandom } from "../machine/seeded-random.ts";
import { type FakeSmtp, type MailFault, startFakeSmtp } from "../services/smtp-server.ts";
import { type CountedMessages, countMessages } from "./counted-messages.ts";
import { PlanDesk } from "./plan-desk.ts";
import type { Occurrence, Plan } from "./plan-wire.ts";
import { jonas, mailAction, setUpEmail } from "./set-up-email.ts";

export interface DeliveryKillPlan {
	readonly seed: number;
	readonly kills: number;
}

/** One kill, and what became of the messages that were on their way. */
export interface DeliveryKill {
	readonly kill: number;
	/** Where the mail server held a mail when the bridge was killed, or after how many ms it was. */
	readonly at: string;
	/** Plans whose creation had no answer by then. */
	readonly unanswered: number;
	/** Messages that the bridge completed by itself, before or after. */
	readonly completed: number;
	/** Whose outcome was not known: the mail was there. */
	readonly unknownThere: number;
	/** Whose outcome was not known: no mail was there, and it was sent again. */
	readonly unknownAgain: number;
}

export interface DeliveryKillReport extends CountedMessages {
	readonly kills: readonly DeliveryKill[];
}

type Terms = Readonly<Record<string, unknown>>;
type Counts = Pick<DeliveryKill, "completed" | "unknownThere" | "unknownAgain">;

/** A mail that the bridge is killed in the middle of is held there by its server; the last ones are for a kill at any moment. */
const AIMS: readonly (MailFault["stage"] | "moment")[] = ["rcpt", "dot", "stored", "moment", "moment", "moment"];
/** The messages of a round are gone after about this time. */
const SPREAD_MS = 400;
const env = { XWORKMATE_SENDS_PER_HOUR: "100000", XWORKMATE_MAX_PLANS: "100000" };

/**
 * Kills a bridge with SIGKILL while plans send mails and rows of the inbox, settles what it does not know by what the mail server has, and
 * counts in the end what arrived. @throws with seed and round, if a message ends in any other way
 */
export async function deliveryKillRounds({ seed, kills }: DeliveryKillPlan): Promise<DeliveryKillReport> {
	await using smtp = await startFakeSmtp();
	await using bridge = await startBridge({ env });
	await setUpEmail(bridge.client(), smtp);
	const random = seededRandom(seed);
	const expected: string[] = [];
	const rounds: DeliveryKill[] = [];
	for (let round = 1; round <= kills; round++) {
		const plans = plansOf(`message ${round}`);
		expected.push(...plans.flatMap(({ messages }) => messages));
		try {
			const terms = plans.map((plan) => plan.terms);
			rounds.push({ kill: round, ...(await killedRound(bridge, smtp, terms, random)) });
		} catch (cause) {
			throw new Error(`seed ${seed}, round ${round}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
		}
	}
	// What a bridge would send again by mistake, it sends when it comes back.
	await bridge.restart("SIGKILL");
	await bridge.restart("SIGTERM");
	return { kills: rounds, ...(await countMessages(new PlanDesk(bridge.client()), smtp, expected)) };
}

/** Given texts and the work of a program, by mail and on the dashboard. Each message is `<channel> <text>`. */
function plansOf(name: string): readonly { readonly terms: Terms; readonly messages: readonly string[] }[] {
	const given = (text: string, channel: string, recipient?: string) => ({
		terms: { delivery: [{ channel, content: text, ...(recipient === undefined ? {} : { recipient }) }] },
		messages: [`${channel} ${text}`],
	});
	const work = {
		instructions: `console.log("at work"); return "${name} work"`,
		routing: { executionTarget: "agent", providerId: "script" },
		delivery: [{ channel: "email", recipient: jonas.contactId }, { channel: "dashboard" }],
	};
	return [
		given(`${name} owner`, "email"),
		given(`${name} other`, "email", jonas.contactId),
		given(`${name} row`, "dashboard"),
		{ terms: work, messages: [`email ${name} work`, `dashboard ${name} work`] },
	].map(({ terms, messages }) => ({ terms: { requestId: randomUUID(), ...terms }, messages }));
}

async function killedRound(
	bridge: BridgeProcess,
	smtp: FakeSmtp,
	terms: readonly Terms[],
	random: () => number,
): Promise<Omit<DeliveryKill, "kill">> {
	const aim = AIMS[Math.floor(random() * AIMS.length)] ?? "moment";
	const moment = random() * SPREAD_MS;
	const before = await faults(smtp);
	if (aim !== "moment") await smtp.fail({ stage: aim, kind: "hang" });
	let unanswered = terms.length;
	const desk = new PlanDesk(bridge.client());
	const creating = terms.map((one) =>
		desk.create(one).then(
			() => {
				unanswered -= 1;
			},
			// The bridge was killed before it answered: it is asked again.
			() => undefined,
		),
	);
	if (aim === "moment") await delay(moment);
	else await smtp.noted(`a mail that is held at ${aim}`, (journal) => journal.filter(({ event }) => event === "fault").length > before);
	const lacking = unanswered;
	await bridge.kill("SIGKILL");
	await Promise.all(creating);
	await bridge.start();
	const at = aim === "moment" ? `${Math.round(moment)} ms` : `held at ${aim}`;
	return { at, unanswered: lacking, ...(await settleAll(new PlanDesk(bridge.client()), smtp, terms)) };
}

/** As a client does it that lost its answers: it asks again for the same plans, and waits for their ends. */
async function settleAll(desk: PlanDesk, smtp: FakeSmtp, terms: readonly Terms[]): Promise<Counts> {
	const counts = { completed: 0, unknownThere: 0, unknownAgain: 0 };
	for (const plan of await Promise.all(terms.map((one) => desk.create(one)))) {
		const occurrence = await desk.settled(plan.planId);
		for (const { actionId, status, code } of occurrence.delivery) {
			if (status === "completed") counts.completed += 1;
			else if (status !== "unknown") throw new Error(`${actionId} is ${status} ${code ?? ""}: ${JSON.stringify(occurrence)}`);
			else if (await settleUnknown(desk, smtp, plan, occurrence, actionId)) counts.unknownThere += 1;
			else counts.unknownAgain += 1;
		}
	}
	return counts;
}

/** A person looks whether the mail is there, says so, and sends it again if it is not. Returns whether it was there. */
async function settleUnknown(desk: PlanDesk, smtp: FakeSmtp, plan: Plan, { occurrenceId, revision }: Occurrence, actionId: string) {
	await smtp.noted("the ends of all connections", (journal) => {
		const count = (what: string) => journal.filter(({ event }) => event === what).length;
		return count("close") >= count("connect");
	});
	const isThere = (await smtp.mails()).some((mail) => mailAction(mail) === actionId);
	const { applied } = await desk.decide("settle", { occurrenceId, revision, actionId, outcome: isThere ? "sent" : "not_sent" });
	if (!applied) throw new Error(`${actionId} could not be settled`);
	if (isThere) return true;
	await desk.call("resend", { occurrenceId, actionIds: [actionId], requestId: randomUUID() });
	const again = await desk.settled(plan.planId, 2);
	if (again.status !== "completed") throw new Error(`${actionId} was sent again, and is ${JSON.stringify(again)}`);
	return false;
}

async function faults(smtp: FakeSmtp): Promise<number> {
	return (await smtp.journal()).filter(({ event }) => event === "fault").length;
}
