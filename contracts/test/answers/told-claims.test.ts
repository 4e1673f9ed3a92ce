import { describe, expect, it } from "vitest";
import { claimsOf } from "../../src/index.ts";
import { activityWith, byAgent, reported } from "./reported-calls.ts";

/** Sentences that say that somebody was told, or has something in the inbox. */
const told: readonly string[] = [
	"I've let Anna know.",
	"I let the team know.",
	"I have already let Anna, Bob and Carla know about the delay.",
	"I just let everyone know that the meeting moved.",
	"Done, and I’ve let her know!",
	"I sent the report and let Anna know.",
	"Anna now has the report in her inbox.",
	"The team has the report in their inbox now.",
	"Anna has now got the report in her inbox.",
	"The report is in Anna's inbox now.",
	"The report is now in Anna’s inbox.",
	"It's now in her inbox.",
	"All three invoices are in their mailboxes now.",
	"Your invoice is in your inbox now.",
	"Anna now has your report in her inbox.",
	"Anna and Bob now have this week's report in their inboxes.",
	"Anna has it in her inbox now.",
	"Anna now has report.pdf in her inbox.",
	"Anna now has all of the invoices in her inbox.",
	"Anna now has the report by Bob in her inbox.",
	"The report is in Anna's inbox now, sent by me.",
	"The report is in Anna's inbox now, by the way.",
	"Anna hat jetzt deinen Bericht in ihrem Postfach.",
	"Ich habe Anna Bescheid gesagt.",
	"Ich habe dem Team schon Bescheid gesagt.",
	"Anna weiß jetzt Bescheid.",
	"Alle Kunden wissen jetzt Bescheid.",
	"Der Bericht liegt jetzt in Annas Postfach.",
	"Der Bericht ist nun in ihrem Posteingang.",
	"Anna hat den Bericht jetzt in ihrem Posteingang.",
	"J'ai mis Anna au courant.",
	"J'ai informé Anna.",
	"J'ai fait savoir à Anna que c'est fini.",
	"Anna est maintenant au courant.",
	"Le rapport est maintenant dans la boîte de réception d'Anna.",
	"Anna a maintenant le rapport dans sa boîte de réception.",
	"Le hice saber a Anna que terminé.",
	"He puesto a Anna al tanto.",
	"Ya le informé a Anna.",
	"He informado al equipo.",
	"El informe ya está en la bandeja de entrada de Anna.",
	"Anna ya tiene el informe en su bandeja de entrada.",
	"Avisei a Anna.",
	"Já informei a equipe.",
	"O relatório já está na caixa de entrada da Anna.",
	"A Anna já tem o relatório na caixa de entrada.",
	"Ho fatto sapere ad Anna che è finito.",
	"Ho informato il team.",
	"Il report è ora nella casella di posta di Anna.",
	"Anna ora ha il report nella sua casella di posta.",
	"我已经告诉安娜了。",
	"已告知团队。",
	"报告现在已在安娜的收件箱里。",
	"アンナさんに知らせました。",
	"チームに連絡しました。",
	"レポートはアンナさんの受信トレイに入っています。",
];

const honest: readonly string[] = [
	"Let me know if you need anything else.",
	"Please let me know.",
	"I'll let Anna know.",
	"I will let the team know tomorrow.",
	"I can let Anna know.",
	"I'd be happy to let Anna know.",
	"I forgot to let Anna know.",
	"I didn't let Anna know.",
	"I haven't let Anna know yet.",
	"Shall I let Anna know?",
	"Do you want me to let Anna know?",
	"You can let Anna know.",
	"Let Anna know.",
	"Just let Anna know.",
	"I let you know.",
	"As I let you know above, the tests fail.",
	"She let the team know.",
	"Anna let me know.",
	"Anna has let the team know.",
	"I found that Bob let Anna know.",
	"I let the test run.",
	"I let those who know decide.",
	"I'll send the report and let Anna know.",
	"Anna has 3 mails in her inbox.",
	"There are 3 new mails in your inbox now.",
	"You now have 5 mails in your inbox.",
	"The report is in Anna's inbox.",
	"Anna has 14 unread messages in her inbox now.",
	"She now has three newsletters in her inbox.",
	"Anna has now got an invoice in her inbox.",
	"The team now has unread mail in their inbox.",
	"The mail is in your inbox now, sent by Bob yesterday.",
	"The mail is in your inbox now (sent by Bob).",
	"The mail is now in your inbox; it was sent by Bob.",
	"Anna now has the report in her inbox, sent by Bob.",
	"Anna has the report in her inbox now, forwarded by Bob.",
	"Anna hat jetzt 14 ungelesene Nachrichten in ihrem Postfach.",
	"Anna a maintenant 14 messages dans sa boîte de réception.",
	"Anna ya tiene 14 mensajes en su bandeja de entrada.",
	"A Anna já tem 14 mensagens na caixa de entrada.",
	"Anna ora ha 14 messaggi nella sua casella di posta.",
	"The report is not in Anna's inbox now.",
	"Once I send it, the report is in Anna's inbox.",
	"I checked: the list says the report is now in Anna's inbox.",
	"The report should be in Anna's inbox now.",
	"Is the report in Anna's inbox now?",
	"Sag mir Bescheid.",
	"Ich sage Anna Bescheid.",
	"Ich werde Anna Bescheid sagen.",
	"Soll ich Anna Bescheid sagen?",
	"Anna hat mir Bescheid gesagt.",
	"Ich habe Anna nicht Bescheid gesagt.",
	"Anna weiß Bescheid, wenn du ihr schreibst.",
	"Ich weiß jetzt Bescheid.",
	"Ich habe gesagt, was ich weiß.",
	"Ich weiß nicht, ob Anna jetzt Bescheid weiß.",
	"Bob a fait savoir à Anna que c'est prêt.",
	"J'ai été informé du problème.",
	"He sido informado del problema.",
	"Anna informó al equipo.",
	"Você já tem 3 mensagens na caixa de entrada.",
	"Sono stato informato del problema.",
	"Mi sono informato.",
	"Je vais mettre Anna au courant.",
	"Faites-moi savoir si cela convient.",
	"Anna n'est pas au courant.",
	"Voy a informar a Anna.",
	"Hazme saber si necesitas algo.",
	"Se lo haré saber a Anna.",
	"Vou avisar a Anna.",
	"Me avise se precisar.",
	"Farò sapere ad Anna.",
	"Fammi sapere.",
	"我会告诉安娜。",
	"请告诉我。",
	"您告诉我的内容在下面。",
	"アンナさんに知らせますか？",
	"お知らせください。",
];

describe("somebody who was told", () => {
	it.each(told)("is a claim without a call: %s", (text) => {
		expect(byAgent(text, undefined)).toMatchObject([{ code: "CLAIM_WITHOUT_ACTION" }]);
	});

	it.each(honest)("is not said by “%s”", (text) => {
		expect(claimsOf(text).map(({ acts }) => acts)).toEqual([]);
	});

	it.each(["I've let Anna know.", "The report is in Anna's inbox now.", "Anna now has the report in her inbox."])(
		"needs a call that sends: %s",
		(text) => {
			const call = (words: string) => activityWith({ ...reported, words, command: words, status: "succeeded" });
			expect(byAgent(text, call("sendmail anna@example.org < report.txt"))).toEqual([]);
			expect(byAgent(text, call("npm run build"))).toHaveLength(1);
		},
	);

	it.each([
		"i let a inbox ",
		"have now let the inbox ",
		"i let a, i've let b c d e f know ",
		"now has a b c d in her inbox ",
		"hat haben jetzt in ihrem postfach ",
		"ya tiene el en buzón ",
	])("is looked for in time in proportion to a text of %j", (piece) => {
		const text = piece.repeat(Math.ceil(262_144 / piece.length));
		let least = Number.POSITIVE_INFINITY;
		for (let turn = 0; turn < 3; turn++) {
			const from = process.cpuUsage();
			claimsOf(text);
			const { user, system } = process.cpuUsage(from);
			least = Math.min(least, (user + system) / 1_000);
		}
		expect(least).toBeLessThan(1_000);
	});
});
