import type { ChannelId } from "@xworkmate/contracts";
import { stands } from "./given-text.ts";

/** The names that people use for a channel. */
const channelWords: Readonly<Record<ChannelId, readonly string[]>> = {
	whatsapp: ["whatsapp", "whats app", "whatsapps", "วอตส์แอป", "วอทส์แอป"],
	email: [
		...["email", "emails", "e-mail", "e-mails", "mail", "mails", "emaile", "maile", "maila", "courriel", "correo", "correo electrónico"],
		...["邮件", "电邮", "电子邮件", "邮箱", "อีเมล", "อีเมล์", "เมล"],
	],
	discord: ["discord", "ดิสคอร์ด"],
	dashboard: [
		"dashboard",
		"inbox",
		"posteingang",
		"tableau de bord",
		"boîte de réception",
		"bandeja de entrada",
		"panel",
		"收件箱",
		"仪表板",
		"仪表盘",
		"แดชบอร์ด",
	],
};

/** The names of channels inside a sentence. */
export const channelNames: Readonly<Record<ChannelId, string>> = {
	whatsapp: "WhatsApp",
	email: "email",
	discord: "Discord",
	dashboard: "the inbox",
};

/** The name in `channelWords` that a text uses for this channel; undefined if it uses none. */
export function channelWordIn(text: string, channel: ChannelId): string | undefined {
	return channelWords[channel].find((name) => stands(text, name));
}
