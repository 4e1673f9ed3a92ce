import { createTransport, type SendMailOptions } from "nodemailer";
import { defaultDeliveryLimits } from "../../bridge/src/plans/executor/delivery-limits.ts";
import type { FakeSmtp } from "../../e2e/support/services/smtp-server.ts";

/** `fresh`: each mail on a connection of its own. `pooled`: on connections that are used again. */
export type BareWay = "fresh" | "pooled";

/**
 * Sends mails with nodemailer alone, as many at once as the bridge does, and nothing written down. Milliseconds until the last is accepted.
 *
 * @param mailOf the mail with this number, from 0
 */
export async function sendBare(
	smtp: Pick<FakeSmtp, "settings">,
	way: BareWay,
	count: number,
	mailOf: (n: number) => SendMailOptions,
): Promise<number> {
	const { host, port, from } = smtp.settings;
	const { atOnce } = defaultDeliveryLimits;
	const server = { host: String(host), port: Number(port), ignoreTLS: true };
	const transport = way === "pooled" ? createTransport({ ...server, pool: true, maxConnections: atOnce }) : createTransport(server);
	const start = performance.now();
	let begun = 0;
	const work = async () => {
		for (let n = begun++; n < count; n = begun++) await transport.sendMail({ from: String(from), ...mailOf(n) });
	};
	await Promise.all(Array.from({ length: atOnce }, work));
	const took = performance.now() - start;
	transport.close();
	return took;
}
