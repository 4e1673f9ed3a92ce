import type { ChannelId } from "@xworkmate/contracts";
import { stands } from "./given-text.ts";

/** What people call a channel. */
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

/** What a channel is called in a question. */
export const channelNames: Readonly<Record<ChannelId, string>> = {
	whatsapp: "WhatsApp",
	email: "email",
	discord: "Discord",
	dashboard: "the dashboard",
};

/** The words of a text that name this channel; undefined if none do. */
export function channelWordIn(text: string, channel: ChannelId): string | undefined {
	return channelWords[channel].find((name) => stands(text, name));
}
