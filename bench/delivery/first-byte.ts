import { defaultDeliveryLimits } from "../../bridge/src/plans/executor/delivery-limits.ts";
import { startBridge } from "../../e2e/support/bridge/bridge-process.ts";
import { waitUntil } from "../../e2e/support/machine/wait-until.ts";
import { PlanDesk } from "../../e2e/support/plans/plan-desk.ts";
import { type FakeSmtp, startFakeSmtp } from "../../e2e/support/services/smtp-server.ts";
import { compare, type Result } from "../result.ts";
import type { Sample } from "../rounds.ts";
import { endWithBench, hasEnded } from "../scratch.ts";
import { type BareWay, sendBare } from "./bare-mail.ts";

const RECIPIENTS = 100;
const CREATORS = 8;
const SENT_BOUND_MS = 600_000;
/** What the creation of a plan takes at most. */
const CREATE_MS = 25;
const MOST = 2;

/** The mails of many plans that are due at the same moment, compared with as many mails sent at one moment without plans. */
export async function benchFirstByte(quick: boolean): Promise<readonly Result[]> {
	const count = quick ? 100 : 1_000;
	const samples: Sample<"plans" | BareWay>[] = [];
	for (let round = 0; round < (quick ? 1 : 3); round++)
		samples.push({ fresh: await ofBare("fresh", count), pooled: await ofBare("pooled", count), plans: await ofPlans(count) });
	const first = { name: `first byte after due, ${count} at once: 95th percentile`, unit: "ms", measured: "plans" } as const;
	const fresh = `the same mails by bare nodemailer, ${defaultDeliveryLimits.atOnce} at once, each on a connection of its own`;
	return [
		compare(samples, { ...first, against: fresh, baseline: "fresh", aim: { atMost: MOST } }),
		compare(samples, { ...first, against: "by a pool of as many connections that are used again", baseline: "pooled" }),
	];
}

async function ofPlans(count: number): Promise<number> {
	await using smtp = await startFakeSmtp("none", true);
	const env = { XWORKMATE_SENDS_PER_HOUR: "100000", XWORKMATE_MAX_PLANS: "100000", XWORKMATE_LOG_LEVEL: "warn" };
	await using bridge = await startBridge({ env });
	endWithBench(bridge.pid);
	const client = bridge.client();
	await client.rpc("xworkmate.channels.configure", { channel: "email", settings: smtp.settings });
	for (let n = 0; n < RECIPIENTS; n++) {
		await client.rpc("xworkmate.contacts.put", { contactId: `contact-${n}`, name: `Contact ${n}`, addresses: { email: addressOf(n) } });
	}
	const due = Date.now() + 5_000 + count * CREATE_MS;
	const scheduledFor = new Date(due).toISOString();
	const desk = new PlanDesk(client);
	let made = 0;
	const create = async () => {
		for (let n = made++; n < count; n = made++) {
			const delivery = [{ channel: "email", recipient: `contact-${n % RECIPIENTS}`, content: textOf(n) }];
			await desk.create({ type: "scheduled", scheduledFor, delivery });
		}
	};
	await Promise.all(Array.from({ length: CREATORS }, create));
	if (Date.now() >= due) throw new Error("the plans were due before all of them were made");
	const p95 = await percentileSince(smtp, count, due);
	hasEnded(bridge.pid);
	return p95;
}

async function ofBare(way: BareWay, count: number): Promise<number> {
	await using smtp = await startFakeSmtp("none", true);
	const due = Date.now();
	await sendBare(smtp, way, count, (n) => ({
		to: addressOf(n % RECIPIENTS),
		subject: "A plan",
		text: textOf(n),
		html: `<p>${textOf(n)}</p>`,
	}));
	return await percentileSince(smtp, count, due);
}

/**
 * The 95th percentile of the times from `due` until the server had the first bytes of each mail, in milliseconds. Waits until all mails
 * have arrived.
 */
async function percentileSince(smtp: FakeSmtp, count: number, due: number): Promise<number> {
	const journal = await waitUntil("all mails to arrive", SENT_BOUND_MS, async () => {
		const seen = await smtp.journal();
		return seen.filter(({ event }) => event === "accepted").length >= count ? seen : undefined;
	});
	const waits = journal.flatMap(({ event, at }) => (event === "data" ? [at - due] : [])).sort((a, b) => a - b);
	return waits[Math.ceil(waits.length * 0.95) - 1] ?? 0;
}

function textOf(n: number): string {
	return `Reminder ${n}: call mom`;
}

function addressOf(n: number): string {
	return `contact-${n}@example.org`;
}
