import { ContactId } from "@xworkmate/contracts";
import { defaultDeliveryLimits } from "../../bridge/src/plans/executor/delivery-limits.ts";
import { startFakeSmtp } from "../../e2e/support/services/smtp-server.ts";
import { bareCommits } from "../actions/bare-commits.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { type BareWay, sendBare } from "./bare-mail.ts";
import { openPlanRig } from "./plan-rig.ts";

const RECIPIENTS = 40;

/** Messages that are ready to leave, by mail and into the inbox, beside the least that each of them needs. */
export async function benchExecutor(quick: boolean): Promise<readonly Result[]> {
	return [...(await benchMail(quick ? 80 : 400, quick ? 2 : 5)), await benchInbox(quick ? 200 : 1_000, quick ? 2 : 5)];
}

/**
 * All send to the same server, which writes each mail to the disk before it accepts it, as a mail server does. The bridge gives each mail a
 * connection of its own (docs/decisions/0078-mail.md), so the same from nodemailer is what it is held against.
 */
async function benchMail(count: number, rounds: number): Promise<readonly Result[]> {
	const prompt = await measureMail(count, rounds, true);
	const slow = await measureMail(count, quickerRounds(rounds), false);
	const mails = { name: "executor to SMTP", unit: "mails/s", measured: "executor" } as const;
	const fresh = `bare nodemailer, ${defaultDeliveryLimits.atOnce} at once, each mail on a connection of its own`;
	return [
		compare(prompt, { ...mails, against: fresh, baseline: "fresh", aim: { atLeast: 0.7 } }),
		compare(prompt, { ...mails, against: "bare nodemailer, a pool of as many connections that are used again", baseline: "pooled" }),
		compare(slow, { ...mails, name: "executor to SMTP that greets after 100 ms", against: fresh, baseline: "fresh" }),
	];
}

function quickerRounds(rounds: number): number {
	return Math.min(rounds, 3);
}

async function measureMail(count: number, rounds: number, isPrompt: boolean) {
	await using smtp = await startFakeSmtp("none", isPrompt);
	await using rig = await openPlanRig();
	await rig.ways["channels.configure"]({ channel: "email", settings: { ...smtp.settings }, secrets: {} });
	for (let n = 0; n < RECIPIENTS; n++) {
		await rig.ways["contacts.put"]({
			contactId: ContactId.parse(`contact-${n}`),
			name: `Contact ${n}`,
			addresses: { email: addressOf(n) },
		});
	}
	let texts = 0;
	const executor = () =>
		rig.send(count, (n) => ({
			channel: "email",
			recipient: `contact-${n % RECIPIENTS}`,
			content: `Reminder ${++texts}\n\n- call **mom**`,
		}));
	const bare = (way: BareWay) => () =>
		sendBare(smtp, way, count, (n) => ({
			to: addressOf(n % RECIPIENTS),
			subject: "Reminder",
			text: `Reminder ${n}\n\n- call **mom**`,
			html: `<p>Reminder ${n}</p><ul><li>call <strong>mom</strong></li></ul>`,
		}));
	const perSecond = (send: () => Promise<number>) => async () => (count * 1_000) / (await send());
	const measures = { executor: perSecond(executor), fresh: perSecond(bare("fresh")), pooled: perSecond(bare("pooled")) };
	await interleave(1, measures);
	return await interleave(rounds, measures);
}

async function benchInbox(count: number, rounds: number): Promise<Result> {
	await using rig = await openPlanRig();
	await using bare = await bareCommits();
	let texts = 0;
	const measures = {
		deliveries: async () => (count * 1_000) / (await rig.send(count, () => ({ channel: "dashboard", content: `Reminder ${++texts}` }))),
		inserts: async () => {
			const from = performance.now();
			for (let row = 0; row < count; row++) {
				bare.commit(1);
				// Pending promises are handled between two commits, as they are between two deliveries.
				await Promise.resolve();
			}
			return (count * 1_000) / (performance.now() - from);
		},
	};
	await interleave(1, measures);
	return compare(await interleave(rounds, measures), {
		name: "deliveries into the inbox",
		unit: "messages/s",
		against: "bare durable inserts",
		measured: "deliveries",
		baseline: "inserts",
		aim: { atLeast: 0.4 },
	});
}

function addressOf(n: number): string {
	return `contact-${n}@example.org`;
}
