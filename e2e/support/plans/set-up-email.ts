import type { FakeSmtp, ReceivedMail } from "../services/smtp-server.ts";
import type { BareClient } from "../wire/bare-client.ts";

/** A contact of the bridge, once email is set up. */
export const jonas = { contactId: "jonas", name: "Jonas", address: "jonas@example.org" };

/** Sets email up for a mail server: from and to its account, and with one contact besides. */
export async function setUpEmail(client: BareClient, { settings, secrets }: FakeSmtp): Promise<void> {
	await client.rpc("xworkmate.channels.configure", { channel: "email", settings, secrets });
	const { contactId, name, address } = jonas;
	await client.rpc("xworkmate.contacts.put", { contactId, name, addresses: { email: address } });
}

/** The text of a mail, its lines as they were before the mail's own line ends. */
export function mailText({ read }: ReceivedMail): string {
	return (read.text ?? "").replaceAll("\r\n", "\n").replace(/\n$/, "");
}

/** The action that a mail is of: the first part of its Message-ID. */
export function mailAction({ read }: ReceivedMail): string {
	return /^<([^@.]*)(?:\.[0-9a-f]{12})?@/.exec(read.messageId ?? "")?.[1] ?? "";
}
