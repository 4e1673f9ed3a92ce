import type { ChannelId } from "@xworkmate/contracts";
import type { When } from "../../../src/plans/words/plan-form.ts";

/** A sentence, what a good model names of it, and the draft that it means on Monday 23 November 2026 at 10:00 in Bangkok. */
export interface Phrasing {
	readonly language: "en" | "de" | "fr" | "es" | "zh" | "th";
	readonly text: string;
	readonly channel: ChannelId;
	readonly content?: string;
	readonly recipient?: string;
	readonly contact?: string;
	readonly when: When;
	/** Local time as `2026-11-23T15:30`, or cron fields; absent: right away. */
	readonly due?: string;
	/** The problem that keeps it from being made. */
	readonly problem?: string;
}

type Rest = Omit<Phrasing, "language" | "text" | "channel" | "when">;
const now: When = { kind: "now" };
const span = (amount: number, unit: "minutes" | "hours" | "days" | "weeks", ...words: string[]): When => ({
	kind: "in",
	amount,
	unit,
	words,
});
type At = Extract<When, { kind: "at" }>;
const at = (day: At["day"], hour: number | undefined, minute: number, ...words: string[]): When => ({
	kind: "at",
	...(day !== undefined && { day }),
	...(hour !== undefined && { clock: { hour, minute } }),
	words,
});
type Every = Extract<When, { kind: "every" }>;
const every = (days: Every["days"], hour: number, minute: number, ...words: string[]): When => ({
	kind: "every",
	days,
	clock: { hour, minute },
	words,
});
const pace = (amount: number, unit: "minutes" | "hours", ...words: string[]): When => ({ kind: "pace", amount, unit, words });
const of =
	(language: Phrasing["language"]) =>
	(text: string, channel: ChannelId, when: When, rest: Rest = {}) => ({ language, text, channel, when, ...rest });
const [en, de, fr, es, zh, th] = [of("en"), of("de"), of("fr"), of("es"), of("zh"), of("th")];
const day = (month: number, date: number) => ({ month, day: date });

export const phrasings: readonly Phrasing[] = [
	en("Research the best beaches in Bali for families. Send me the list on WhatsApp.", "whatsapp", now),
	en("In 2 minutes, send me a WhatsApp message saying 'Don't forget to call mom'", "whatsapp", span(2, "minutes", "In 2 minutes"), {
		content: "Don't forget to call mom",
		due: "2026-11-23T10:02",
	}),
	en("Send me an email saying “It’s done”", "email", now, { content: "It’s done" }),
	en('Email Anna "The meeting is at 4"', "email", now, { content: "The meeting is at 4", recipient: "Anna", contact: "anna" }),
	en("Tell Anna by email that I am late", "email", now, { content: "I am late", recipient: "Anna", contact: "anna" }),
	en("WhatsApp bob at 5pm: see you tomorrow at nine", "whatsapp", at(undefined, 17, 0, "at 5pm"), {
		content: "see you tomorrow at nine",
		recipient: "bob",
		contact: "bob",
		due: "2026-11-23T17:00",
	}),
	en("Tomorrow at 9:30 am email me a summary of the news", "email", at("tomorrow", 9, 30, "Tomorrow at 9:30 am"), {
		due: "2026-11-24T09:30",
	}),
	en("Every weekday at 9 send me the weather on the dashboard", "dashboard", every("weekday", 9, 0, "Every weekday at 9"), {
		due: "0 9 * * 1-5",
	}),
	en(
		"Every Monday and Friday at 18:15 email me the open issues",
		"email",
		every(["monday", "friday"], 18, 15, "Every Monday and Friday at 18:15"),
		{ due: "15 18 * * 1,5" },
	),
	en("Every 15 minutes check the site and put the result on my dashboard", "dashboard", pace(15, "minutes", "Every 15 minutes"), {
		due: "*/15 * * * *",
	}),
	en("In three hours WhatsApp me the score", "whatsapp", span(3, "hours", "In three hours"), { due: "2026-11-23T13:00" }),
	en("In 3 days email me the report", "email", span(3, "days", "In 3 days"), { due: "2026-11-26T10:00" }),
	en("On Friday at noon email me what is left to do", "email", at("friday", 12, 0, "On Friday at noon"), { due: "2026-11-27T12:00" }),
	en("On 1 December at 07:00 WhatsApp me the weather", "whatsapp", at(day(12, 1), 7, 0, "On 1 December at 07:00"), {
		due: "2026-12-01T07:00",
	}),
	en("On the 1st of every month at 8 am email me the costs", "email", every({ dayOfMonth: 1 }, 8, 0, "On the 1st of every month at 8 am"), {
		due: "0 8 1 * *",
	}),
	en("Send me the news on WhatsApp at 9", "whatsapp", at(undefined, 9, 0, "at 9"), { problem: "TIME_AMBIGUOUS" }),
	en("Send me the news on WhatsApp today at 08:00", "whatsapp", at("today", 8, 0, "today at 08:00"), { problem: "TIME_PAST" }),
	en("Email me tomorrow at 5: pick up the parcel", "email", at("tomorrow", 5, 0, "tomorrow at 5"), {
		content: "pick up the parcel",
		problem: "TIME_AMBIGUOUS",
	}),
	en("Email me tomorrow: pick up the parcel", "email", at("tomorrow", undefined, 0, "tomorrow"), {
		content: "pick up the parcel",
		problem: "TIME_UNCLEAR",
	}),
	en("Next Friday at 14:00 send me the figures by email", "email", at("friday", 14, 0, "Next Friday at 14:00"), {
		problem: "TIME_AMBIGUOUS",
	}),
	en("On 3/4 at 14:00 send me the figures by email", "email", at(day(4, 3), 14, 0, "On 3/4 at 14:00"), { problem: "TIME_UNCLEAR" }),
	en("Send Carol the list by email", "email", now, { recipient: "Carol", problem: "RECIPIENT_UNKNOWN" }),
	en("Send Kim the list by email", "email", now, { recipient: "Kim", problem: "RECIPIENT_UNKNOWN" }),
	en("Send Bob the list by email", "email", now, { recipient: "Bob", problem: "RECIPIENT_UNKNOWN" }),
	de("Recherchiere die besten Strände auf Bali und schick mir die Liste per WhatsApp.", "whatsapp", now),
	de("Schick mir in 10 Minuten per WhatsApp „Nudeln vom Herd nehmen“", "whatsapp", span(10, "minutes", "in 10 Minuten"), {
		content: "Nudeln vom Herd nehmen",
		due: "2026-11-23T10:10",
	}),
	de("Schreib Anna eine E-Mail: „Ich komme später“", "email", now, { content: "Ich komme später", recipient: "Anna", contact: "anna" }),
	de("Morgen um 15:30 Uhr mail mir die Zahlen", "email", at("tomorrow", 15, 30, "Morgen um 15:30 Uhr"), { due: "2026-11-24T15:30" }),
	de(
		"Übermorgen um 11 Uhr vormittags schick mir per E-Mail die Liste",
		"email",
		at("day_after_tomorrow", 11, 0, "Übermorgen um 11 Uhr vormittags"),
		{ due: "2026-11-25T11:00" },
	),
	de("Jeden Montag um 08:00 die Aufgaben der Woche auf das Dashboard", "dashboard", every(["monday"], 8, 0, "Jeden Montag um 08:00"), {
		due: "0 8 * * 1",
	}),
	de("Täglich um 19 Uhr das Wetter per WhatsApp an mich", "whatsapp", every("day", 19, 0, "Täglich um 19 Uhr"), { due: "0 19 * * *" }),
	de("Am Freitag um 20:15 Uhr schick mir per WhatsApp „Tatort“", "whatsapp", at("friday", 20, 15, "Am Freitag um 20:15 Uhr"), {
		content: "Tatort",
		due: "2026-11-27T20:15",
	}),
	de(
		"Am 24. Dezember um 09:00 schick Bob per WhatsApp „Frohe Weihnachten!“",
		"whatsapp",
		at(day(12, 24), 9, 0, "Am 24. Dezember um 09:00"),
		{ content: "Frohe Weihnachten!", recipient: "Bob", contact: "bob", due: "2026-12-24T09:00" },
	),
	de("Heute um 8 Uhr morgens per E-Mail die Lage an mich", "email", at("today", 8, 0, "Heute um 8 Uhr morgens"), { problem: "TIME_PAST" }),
	de("Um halb neun abends per WhatsApp die Ergebnisse an mich", "whatsapp", at(undefined, 20, 30, "Um halb neun abends"), {
		problem: "TIME_UNCLEAR",
	}),
	de("Schick Frau Krause per E-Mail die Liste", "email", now, { recipient: "Frau Krause", problem: "RECIPIENT_UNKNOWN" }),
	de("In zwei Stunden schick mir eine Mail: Fenster zu", "email", span(2, "hours", "In zwei Stunden"), {
		content: "Fenster zu",
		due: "2026-11-23T12:00",
	}),
	fr("Cherche les meilleures plages de Bali et envoie-moi la liste sur WhatsApp.", "whatsapp", now),
	fr("Dans 5 minutes, envoie-moi sur WhatsApp « Appeler maman »", "whatsapp", span(5, "minutes", "Dans 5 minutes"), {
		content: "Appeler maman",
		due: "2026-11-23T10:05",
	}),
	fr("Demain à 14h30 envoie-moi par e-mail le résumé", "email", at("tomorrow", 14, 30, "Demain à 14h30"), { due: "2026-11-24T14:30" }),
	fr("Chaque lundi à 8h du matin, envoie-moi par e-mail les tâches", "email", every(["monday"], 8, 0, "Chaque lundi à 8h du matin"), {
		due: "0 8 * * 1",
	}),
	fr("Tous les jours à 21h envoie-moi la météo sur WhatsApp", "whatsapp", every("day", 21, 0, "Tous les jours à 21h"), {
		due: "0 21 * * *",
	}),
	fr("Envoie un e-mail à Anna : « Je suis en retard »", "email", now, { content: "Je suis en retard", recipient: "Anna", contact: "anna" }),
	fr("Vendredi à midi envoie-moi la liste par e-mail", "email", at("friday", 12, 0, "Vendredi à midi"), { due: "2026-11-27T12:00" }),
	fr(
		"Après-demain à 9h30 du matin, WhatsApp : les nouvelles",
		"whatsapp",
		at("day_after_tomorrow", 9, 30, "Après-demain à 9h30 du matin"),
		{ due: "2026-11-25T09:30" },
	),
	fr("Aujourd'hui à 9h du matin envoie-moi les chiffres par e-mail", "email", at("today", 9, 0, "Aujourd'hui à 9h du matin"), {
		problem: "TIME_PAST",
	}),
	fr("Envoie la liste à Élodie par e-mail", "email", now, { recipient: "Élodie", problem: "RECIPIENT_UNKNOWN" }),
	es("Busca las mejores playas de Bali y envíame la lista por WhatsApp.", "whatsapp", now),
	es("Mañana a las 15:30 envíame por correo el resumen", "email", at("tomorrow", 15, 30, "Mañana a las 15:30"), {
		due: "2026-11-24T15:30",
	}),
	es("Dentro de 2 horas envíame por WhatsApp «Sacar la basura»", "whatsapp", span(2, "hours", "Dentro de 2 horas"), {
		content: "Sacar la basura",
		due: "2026-11-23T12:00",
	}),
	es("Cada viernes a las 17:00 envíame por correo los pendientes", "email", every(["friday"], 17, 0, "Cada viernes a las 17:00"), {
		due: "0 17 * * 5",
	}),
	zh("研究巴厘岛最适合家庭的海滩，把清单用WhatsApp发给我。", "whatsapp", now),
	zh("2分钟后用WhatsApp给我发“别忘了给妈妈打电话”", "whatsapp", span(2, "minutes", "2分钟后"), {
		content: "别忘了给妈妈打电话",
		due: "2026-11-23T10:02",
	}),
	zh("明天下午3点用邮件把报告发给我", "email", at("tomorrow", 15, 0, "明天下午3点"), { due: "2026-11-24T15:00" }),
	zh("明天下午三点用邮件把报告发给我", "email", at("tomorrow", 3, 0, "明天下午三点"), { due: "2026-11-24T15:00" }),
	zh("每天早上8点把天气发到我的收件箱", "dashboard", every("day", 8, 0, "每天早上8点"), { due: "0 8 * * *" }),
	zh("给Anna发邮件：“我会晚到”", "email", now, { content: "我会晚到", recipient: "Anna", contact: "anna" }),
	zh("星期五18:00用邮件把清单发给我", "email", at("friday", 18, 0, "星期五18:00"), { due: "2026-11-27T18:00" }),
	zh("今天早上8点用邮件把新闻发给我", "email", at("today", 8, 0, "今天早上8点"), { problem: "TIME_PAST" }),
	zh("用邮件把清单发给王伟", "email", now, { recipient: "王伟", problem: "RECIPIENT_UNKNOWN" }),
	zh("明天5点用邮件把新闻发给我", "email", at("tomorrow", 5, 0, "明天5点"), { problem: "TIME_AMBIGUOUS" }),
	th("หาชายหาดที่ดีที่สุดในบาหลีแล้วส่งรายการให้ฉันทาง WhatsApp", "whatsapp", now),
	th('อีก 2 นาทีส่ง WhatsApp ให้ฉันว่า "อย่าลืมโทรหาแม่"', "whatsapp", span(2, "minutes", "อีก 2 นาที"), {
		content: "อย่าลืมโทรหาแม่",
		due: "2026-11-23T10:02",
	}),
	th("พรุ่งนี้ 15:30 ส่งสรุปให้ฉันทางอีเมล", "email", at("tomorrow", 15, 30, "พรุ่งนี้ 15:30"), { due: "2026-11-24T15:30" }),
	th("ทุกวัน 19:00 ส่งพยากรณ์อากาศให้ฉันทาง WhatsApp", "whatsapp", every("day", 19, 0, "ทุกวัน 19:00"), { due: "0 19 * * *" }),
	th("วันนี้ 08:00 ส่งข่าวให้ฉันทางอีเมล", "email", at("today", 8, 0, "วันนี้ 08:00"), { problem: "TIME_PAST" }),
];
