import { folded, stands } from "./given-text.ts";
import { type NamedDay, WEEKDAYS } from "./plan-form.ts";

const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "zh", "th"];
/** A date that is a Sunday. */
const SUNDAY = Date.UTC(2023, 0, 1);
const DAY = 86_400_000;

const numberWords: readonly (readonly string[])[] = [
	[],
	["a", "an", "one", "ein", "eine", "einer", "einem", "un", "une", "una", "uno", "一", "หนึ่ง"],
	["two", "zwei", "deux", "dos", "两", "二", "สอง"],
	["three", "drei", "trois", "tres", "三", "สาม"],
	["four", "vier", "quatre", "cuatro", "四", "สี่"],
	["five", "fünf", "cinq", "cinco", "五", "ห้า"],
	["six", "sechs", "seis", "六", "หก"],
	["seven", "sieben", "sept", "siete", "七", "เจ็ด"],
	["eight", "acht", "huit", "ocho", "八", "แปด"],
	["nine", "neun", "neuf", "nueve", "九", "เก้า"],
	["ten", "zehn", "dix", "diez", "十", "สิบ"],
	["eleven", "elf", "onze", "once", "十一", "สิบเอ็ด"],
	["twelve", "zwölf", "douze", "doce", "十二", "สิบสอง"],
];
const otherNumbers: readonly (readonly [number, readonly string[]])[] = [
	[15, ["fifteen", "fünfzehn", "quinze", "quince", "十五", "สิบห้า"]],
	[20, ["twenty", "zwanzig", "vingt", "veinte", "二十", "ยี่สิบ"]],
	[30, ["thirty", "dreißig", "trente", "treinta", "三十", "半", "สามสิบ", "ครึ่ง"]],
	[45, ["forty-five", "fünfundvierzig", "四十五"]],
];
const units = {
	minutes: ["minute", "minutes", "min", "mins", "minuten", "minuto", "minutos", "分钟", "分", "นาที"],
	hours: ["hour", "hours", "h", "hrs", "stunde", "stunden", "heure", "heures", "hora", "horas", "小时", "ชั่วโมง"],
	days: ["day", "days", "tag", "tage", "tagen", "jour", "jours", "día", "días", "dia", "dias", "天", "วัน"],
	weeks: ["week", "weeks", "woche", "wochen", "semaine", "semaines", "semana", "semanas", "周", "星期", "สัปดาห์"],
} as const;
const again = [
	...["every", "each", "daily", "weekly", "monthly", "hourly", "jeden", "jede", "jedes", "täglich", "stündlich", "chaque", "tous les"],
	...["toutes les", "cada", "todos los", "todas las", "每", "ทุก", "montags", "dienstags", "mittwochs", "donnerstags", "freitags"],
	...["samstags", "sonntags", "werktags", "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays", "weekdays"],
];
const weekdayWords = [
	"weekday",
	"weekdays",
	"workday",
	"workdays",
	"werktag",
	"werktags",
	"wochentag",
	"jours ouvrables",
	"en semaine",
	"工作日",
	"วันทำงาน",
	"วันธรรมดา",
	"días laborables",
	"entre semana",
];
const monthWords = ["month", "monthly", "monat", "monats", "mois", "mes", "月", "เดือน"];
const noon = ["noon", "midday", "mittag", "mittags", "midi", "mediodía", "中午", "เที่ยงวัน"];
const midnight = ["midnight", "mitternacht", "minuit", "medianoche", "午夜", "เที่ยงคืน"];
const nextWords = ["next", "nächsten", "nächste", "nächster", "prochain", "prochaine", "próximo", "下", "หน้า"];
const beforeNoon = [
	"morning",
	"morgens",
	"früh",
	"vormittag",
	"vormittags",
	"matin",
	"de la mañana",
	"por la mañana",
	"早上",
	"上午",
	"早晨",
	"凌晨",
	"เช้า",
];
const afterNoon = [
	...["afternoon", "evening", "tonight", "night", "nachmittag", "nachmittags", "abend", "abends", "heute nacht", "après-midi", "soir"],
	...["de la tarde", "por la tarde", "de la noche", "esta noche", "下午", "晚上", "今晚", "傍晚", "บ่าย", "เย็น", "ค่ำ"],
];
/** Longer phrases first, because each one found is removed from the text. */
const days: readonly (readonly [NamedDay, readonly string[]])[] = [
	["day_after_tomorrow", ["day after tomorrow", "übermorgen", "après-demain", "pasado mañana", "后天", "มะรืน"]],
	["tomorrow", ["tomorrow", "morgen", "demain", "mañana", "明天", "明早", "明晚", "พรุ่งนี้"]],
	[
		"today",
		[
			"today",
			"tonight",
			"this morning",
			"this afternoon",
			"this evening",
			"heute",
			"aujourd'hui",
			"ce soir",
			"hoy",
			"esta tarde",
			"esta noche",
			"今天",
			"今晚",
			"วันนี้",
			"คืนนี้",
		],
	],
];

/** What the words for a time state explicitly, read without a model. Nothing is guessed. */
export interface TimeReading {
	/** The numbers written in digits, in the order of the words. */
	readonly digits: readonly number[];
	readonly days: readonly NamedDay[];
	readonly half: "am" | "pm" | "both" | undefined;
	/** True if a clock time has a leading zero, such as `09:00`. */
	readonly isExactClock: boolean;
	readonly isAgain: boolean;
	readonly isNext: boolean;
}

export function readTimeWords(words: string): TimeReading {
	const text = plain(words);
	const isMorning = /\d\s?a\.?m\b/.test(text) || any(text, beforeNoon);
	const isLate = /\d\s?p\.?m\b/.test(text) || any(text, afterNoon);
	return {
		digits: (text.match(/\d{1,6}/g) ?? []).map(Number),
		days: daysIn(text),
		half: isMorning && isLate ? "both" : isMorning ? "am" : isLate ? "pm" : undefined,
		isExactClock: /(?<!\d)0\d\s?(?:[:h.]|uhr)/.test(text),
		isAgain: any(text, again),
		isNext: any(text, nextWords),
	};
}

/** True if the words name this number, in digits or as a word. */
export function namesNumber(words: string, value: number): boolean {
	const text = plain(words);
	if (readTimeWords(words).digits.includes(value)) return true;
	const spelled = [...(numberWords[value] ?? []), ...(otherNumbers.find(([number]) => number === value)?.[1] ?? [])];
	return any(text, spelled) && longest(text, value);
}

/** Keeps the 十 in 十一 from being read as ten. */
function longest(text: string, value: number): boolean {
	const [run = ""] = /[一二两三四五六七八九十]+/.exec(text) ?? [];
	if (run === "") return true;
	const spelled = [...numberWords.entries(), ...otherNumbers].find(([, names]) => names.includes(run));
	return (
		spelled?.[0] === value ||
		(value === 30 && text.includes("半")) ||
		(numberWords[value] ?? []).some((name) => /[a-z]/.test(name) && stands(text, name))
	);
}

export const namesUnit = (words: string, unit: keyof typeof units): boolean =>
	any(plain(words).replace(/(\d)(?=\p{L})/gu, "$1 "), units[unit]);
export const namesNoon = (words: string): boolean => any(plain(words), noon);
export const namesMidnight = (words: string): boolean => any(plain(words), midnight);
export const namesWorkdays = (words: string): boolean => any(plain(words), weekdayWords);
export const namesMonth = (words: string): boolean => any(plain(words), monthWords);
/** True if the words name a half hour, as in `half past nine`: any minute but 30 would then be wrong. */
export const namesHalf = (words: string): boolean => any(plain(words), ["half", "halb", "demi", "demie", "media", "半", "ครึ่ง"]);

/** True if the words name the given month, by its number or its name. */
export function namesMonthOf(words: string, month: number): boolean {
	if (readTimeWords(words).digits.includes(month)) return true;
	return LANGUAGES.some((language) =>
		(["long", "short"] as const).some((length) => {
			const name = new Intl.DateTimeFormat(language, { month: length, timeZone: "UTC" }).format(Date.UTC(2023, month - 1, 15));
			return stands(plain(words), name.replace(/\.$/, ""));
		}),
	);
}

/** A time that a text plainly names: a time of day, or a span from now. */
export function plainTimeIn(text: string): string | undefined {
	return (
		/(?<![\d:])\d{1,2}(?::\d{2}|\s?[ap]m\b|\s?uhr\b|点)/i.exec(text)?.[0] ??
		/(?<![\p{L}])(?:in|dans|en|อีก)\s?\d{1,4}\s?(?:min|hour|h\b|day|stunde|tag|heure|jour|hora|d[ií]a|นาที|ชั่วโมง)/iu.exec(text)?.[0] ??
		/\d{1,4}\s?(?:分钟|小时|天)后/.exec(text)?.[0]
	);
}

function daysIn(words: string): readonly NamedDay[] {
	const found = new Set<NamedDay>();
	// Spanish uses the same word for "morning" and "tomorrow".
	let rest = words.replaceAll("de la mañana", " ").replaceAll("por la mañana", " ");
	for (const [day, names] of days) {
		for (const name of names) {
			if (!stands(rest, name)) continue;
			found.add(day);
			rest = rest.replaceAll(name, " ");
		}
	}
	for (const [index, names] of weekdayNames().entries()) {
		const day = WEEKDAYS[index];
		if (day !== undefined && names.some((name) => stands(rest, name) || stands(rest, `${name}s`))) found.add(day);
	}
	return [...found];
}

let named: readonly (readonly string[])[] | undefined;

function weekdayNames(): readonly (readonly string[])[] {
	named ??= WEEKDAYS.map((_, index) => {
		const at = SUNDAY + index * DAY;
		const long = LANGUAGES.map((language) => new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(at));
		const short = ["en", "zh"].map((language) => new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" }).format(at));
		return [...long, ...short].map(folded);
	});
	return named;
}

function plain(words: string): string {
	return folded(words).replace(/[๐-๙]/g, (digit) => String(digit.charCodeAt(0) - 0x0e50));
}

function any(text: string, names: readonly string[]): boolean {
	return names.some((name) => stands(text, name));
}
