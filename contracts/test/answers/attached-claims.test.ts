import { describe, expect, it } from "vitest";
import { checkAgentClaims } from "../../src/index.ts";
import { activityWith, byAgent } from "./reported-calls.ts";

const claims = [
	"I have attached the invoice. You will find it in the attachment.",
	"Attached you will find the quarterly report (report.pdf).",
	"See the attached report.pdf.",
	"Please find the report attached.",
	"The attached PDF has the details.",
	"Please see the attachment, report.pdf.",
	"The file report.pdf is attached below.",
	"I've attached report.pdf for you.",
	"The quarterly report is enclosed.",
	"Attached: report.pdf",
	"Attached the report.",
	"Anhang: report.pdf",
	"Im Anhang finden Sie die Rechnung.",
	"Anbei der Bericht von heute.",
	"Ich habe den Bericht angehängt.",
	"Die Rechnung finden Sie im Anhang.",
	"Vous trouverez le rapport ci-joint.",
	"Le rapport est en pièce jointe.",
	"J'ai joint la facture.",
	"Te adjunto el informe de hoy.",
	"Adjunto encontrará la factura.",
	"He adjuntado el informe.",
	"Segue em anexo o relatório.",
	"O relatório está em anexo.",
	"Anexei o relatório.",
	"In allegato trovi il rapporto.",
	"Ti allego la fattura.",
	"Ho allegato la fattura.",
	"报告请见附件。",
	"附件是今天的报告。",
	"报告已附上。",
	"レポートを添付しました。",
	"請求書を添付いたします。",
	"添付ファイルをご確認ください。",
];

describe("a claim that a file is attached", () => {
	it.each(claims)("needs a file: %s", (text) => {
		expect(byAgent(text, undefined), text).not.toEqual([]);
		expect(byAgent(text, activityWith({ status: "succeeded", words: "Look up the weather" })), text).not.toEqual([]);
		expect(byAgent(text, undefined, { delivered: ["out/report.pdf"] }), text).toEqual([]);
	});

	it("needs the file that it names", () => {
		expect(byAgent("See the attached report.pdf.", undefined, { delivered: ["notes.txt"] })).toHaveLength(1);
		expect(byAgent("I have attached the invoice invoice.pdf. The file report.pdf is attached below.", undefined)).toHaveLength(2);
	});

	it.each([
		["Attached: a.pdf, b.pdf and c.xlsx.", ["a.pdf"]],
		["I attached a.pdf and b.pdf.", ["out/b.pdf"]],
		["The files a.pdf and b.pdf are attached.", ["a.pdf", "c.pdf"]],
		["Im Anhang finden Sie a.pdf und b.pdf.", ["a.pdf"]],
		["I converted data.csv to data.pdf and attached it: the report is attached.", ["notes.txt"]],
		["The PDF report is attached.", ["notes.txt"]],
		["I've attached the report as PDF and CSV.", ["report.pdf"]],
		["The spreadsheet is attached.", ["report.pdf"]],
		["Attached is the Excel file.", ["report.md"]],
		["The photo is attached.", ["notes.txt"]],
		["Anbei der Bericht als PDF.", ["bericht.md"]],
		["Vous trouverez le rapport PDF ci-joint.", ["rapport.md"]],
	])("“%s” needs each file and each type that it names, not only %j", (text, delivered) => {
		expect(byAgent(text, undefined, { delivered })).toMatchObject([{ start: 0, end: text.length }]);
	});

	it.each([
		["Attached: a.pdf, b.pdf and c.xlsx.", ["c.xlsx", "out/a.pdf", "b.pdf"]],
		["Attached is report.pdf, a summary of data.csv.", ["report.pdf"]],
		["I read data.csv and notes.txt, and attached report.pdf.", ["report.pdf"]],
		["report.pdf, based on data.csv, is attached.", ["report.pdf"]],
		["I converted data.csv to data.pdf and attached it.", ["data.pdf"]],
		["I've attached a summary of the contract PDF.", ["summary.md"]],
		["The list of ZIP codes is attached.", ["codes.txt"]],
		["The report is attached as a PDF.", ["report.PDF"]],
		["The spreadsheet is attached.", ["sales.csv"]],
		["The screenshots are attached.", ["screens.zip"]],
		["The report is attached.", ["report.md"]],
	])("“%s” is backed by %j", (text, delivered) => {
		expect(byAgent(text, undefined, { delivered })).toEqual([]);
	});

	it.each([
		"I have not attached the report.",
		"I couldn't attach the report, so nothing is attached.",
		"I can attach the report if you like.",
		"Should the report be attached?",
		"Thanks for the report that you attached.",
		"I read the file you sent as an attachment.",
		"The click handler is attached to the button.",
		"The volume is attached to the instance.",
		"Attachments: at most 10 MB each.",
		"Attached files can have 10 MB.",
		"The debugger is attached.",
		"I read the attachment of Anna's email.",
		"Anna says that the invoice is attached.",
		"An attached file can have 10 MB.",
		"Der Bericht ist nicht im Anhang.",
		"Im Anhang des Buches stehen drei Tabellen.",
		"Soll ich den Bericht anhängen?",
		"Le fichier n'est pas joint.",
		"No he adjuntado el informe.",
		"O relatório não está em anexo.",
		"Non ho allegato la fattura.",
		"报告没有附件。",
		"添付ファイルはありません。",
	])("is not made by “%s”", (text) => {
		expect(byAgent(text, undefined).map(({ start, end }) => text.slice(start, end))).toEqual([]);
	});
});

it("a delivered file whose name has spaces is the one that a sentence names", () => {
	const evidence = { activity: undefined, delivered: { paths: ["out/Annual report 2026.pdf"], count: 1 } };
	const marked = (text: string) => checkAgentClaims(text, evidence).length;
	expect(marked("Please find the attached Annual report 2026.pdf.")).toBe(0);
	expect(marked("Please find the attached Annual report 2025.pdf.")).toBe(1);
	expect(marked("Please find the attached report 2026.pdf.")).toBe(1);
	expect(marked("I wrote Annual report 2026.pdf.")).toBe(0);
	expect(marked("I wrote report 2026.pdf.")).toBe(1);
});
