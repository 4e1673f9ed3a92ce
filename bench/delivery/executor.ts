import { ContactId } from "@xworkmate/contracts";
import { createTransport } from "nodemailer";
import { defaultDeliveryLimits } from "../../bridge/src/plans/executor/delivery-limits.ts";
import { type FakeSmtp, startFakeSmtp } from "../../e2e/support/services/smtp-server.ts";
import { bareCommits } from "../actions/bare-commits.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { openPlanRig } from "./plan-rig.ts";

const RECIPIENTS = 40;

/** Messages that are ready to leave, by mail and into the inbox, beside the least that each of them needs. */
export async function benchExecutor(quick: boolean): Promise<readonly Result[]> {
	return [...(await benchMail(quick ? 80 : 400, quick ? 2 : 5)), await benchInbox(quick ? 200 : 1_000, quick ? 2 : 5)];
}

/** Both send to the same server, which keeps each mail on the disk before it says so, as a mail server does. */
async function benchMail(count: number, rounds: number): Promise<readonly Result[]> {
	await using smtp = await startFakeSmtp("none");
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
	const perSecond = (send: () => Promise<number>) => async () => (count * 1_000) / (await send());
	const measures = {
		executor: perSecond(executor),
		pool: perSecond(() => sendBare(smtp, count, { pool: true, maxConnections: defaultDeliveryLimits.atOnce })),
		fresh: perSecond(() => sendBare(smtp, count, { pool: true, maxConnections: defaultDeliveryLimits.atOnce, maxMessages: 1 })),
	};
	await interleave(1, measures);
	const samples = await interleave(rounds, measures);
	const mails = { name: "executor to SMTP", unit: "mails/s", measured: "executor" } as const;
	return [
		compare(samples, { ...mails, against: "bare nodemailer, a pool of the same size", baseline: "pool", aim: { atLeast: 0.7 } }),
		compare(samples, { ...mails, against: "such a pool, each mail on a connection of its own", baseline: "fresh" }),
	];
}

/** Milliseconds that nodemailer takes alone, with nothing written down. */
async function sendBare(
	smtp: FakeSmtp,
	count: number,
	pool: { pool: true; maxConnections: number; maxMessages?: number },
): Promise<number> {
	const { host, port, from } = smtp.settings;
	const transport = createTransport({ host: String(host), port: Number(port), ignoreTLS: true, ...pool });
	const start = performance.now();
	const mail = (n: number) => {
		const text = `Reminder ${n}\n\n- call **mom**`;
		const html = `<p>Reminder ${n}</p><ul><li>call <strong>mom</strong></li></ul>`;
		return transport.sendMail({ from: String(from), to: addressOf(n % RECIPIENTS), subject: "Reminder", text, html });
	};
	await Promise.all(Array.from({ length: count }, (_, n) => mail(n)));
	const took = performance.now() - start;
	transport.close();
	return took;
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
				// As others wait for the event loop there, they do here.
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
