import { z } from "zod";
import { type FakeSmtp, startFakeSmtp } from "../services/smtp-server.ts";
import type { KillOutlet } from "./kill-outlet.ts";
import { jonas, mailText } from "./set-up-email.ts";

const Point = z.enum(["rcpt", "dot", "stored"]);

/** Mails, with a mail server that holds one in the middle of its exchange. */
export async function emailOutlet(): Promise<KillOutlet> {
	const smtp = await startFakeSmtp();
	const { settings, secrets } = smtp;
	return {
		channel: "email",
		env: {},
		points: Point.options,
		contact: jonas.address,
		isProved: false,
		setUp: async (bridge) => void (await bridge.client().rpc("xworkmate.channels.configure", { channel: "email", settings, secrets })),
		async hold(point) {
			const before = await faults(smtp);
			await smtp.fail({ stage: Point.parse(point), kind: "hang" });
			return () =>
				smtp.noted(`a mail that is held at ${point}`, (journal) => journal.filter(({ event }) => event === "fault").length > before);
		},
		back: async () => {},
		async arrived() {
			const journal = await smtp.noted("the ends of all connections", (noted) => {
				const count = (what: string) => noted.filter(({ event }) => event === what).length;
				return count("close") >= count("connect");
			});
			const mails = await smtp.mails();
			const accepted = journal.filter(({ event }) => event === "accepted").length;
			if (accepted !== mails.length) throw new Error(`the mail server accepted ${accepted} mails and has ${mails.length}`);
			return mails.map(mailText);
		},
		[Symbol.asyncDispose]: () => smtp[Symbol.asyncDispose](),
	};
}

async function faults(smtp: FakeSmtp): Promise<number> {
	return (await smtp.journal()).filter(({ event }) => event === "fault").length;
}
