/** Things other than files that an effect can concern. A call concerns the same thing if its words name it too. */
const TOPICS: readonly RegExp[] = [
	/calend|kalender|agenda|meeting|termin(?!at)|appointment|rendez|réunion|reuni[óo]n|reuni[ãa]o|riunion|besprechung|treffen|schedul|event|\bcita\b|remind|erinner|rappel|recordatori|lembrete|promemoria|日历|日程|会议|提醒|予定|会議|カレンダー|リマインダ/u,
	/\bpay|paid|payment|invoice|refund|bezahl|gezahlt|überw|rechnung|paiement|factur|fattur|\bpag|paié|pagat|transfer|stripe|支付|付款|转账|退款|发票|支払|振込|請求/u,
	/\bbook(?:ed|ing)?\b|reserv|réserv|gebucht|buchung|prenot|flight|hotel|预订|预定|预约|予約/u,
	/deploy|releas|launch|publish|bereitgestellt|ausgerollt|veröffentlich|déploy|publi[ée]|desplegad|implantad|pubblic|lançad|lanzad|部署|上线|发布|公開|リリース|デプロイ/u,
	/\border|purchas|bought|bestell|gekauft|command(?:é|e )|achet|comprad|encomend|pedido|ordinat|acquist|订购|购买|订单|注文|購入/u,
	/subscri|membership|\babo\b|abonn|suscrip|assinatura|abbonam|订阅|サブスク/u,
	/\bissue|ticket|工单|チケット/u,
	/upload|hochgelad|télévers|\bsubid|carregad|caricat|上传|\bscp\b|rsync|\bs3\b|アップロード/u,
	/\bpush|\bpull request|\bpr\b/u,
	/\bcommit/u,
	/\bmerge/u,
	/\binstal|\bnpm (?:i|ci)\b/u,
];

/** What a sentence says was done, and the words of calls that do it. */
const BY_OTHER_WORDS: readonly (readonly [RegExp, RegExp])[] = [
	[/\bbacked\b|gesichert|sauvegard|respald|备份|バックアップ/u, /back.?up|\bbak\b|dump|snapshot|\bcp\b|\btar\b|rsync|\bzip\b|copy/u],
	[/\bdropped\b/u, /drop|truncate|delet|\brm\b|destroy/u],
	[/\brestored\b|wiederherg|restaur|ripristin|还原|復元/u, /restor|psql|mysql|import|revert|checkout|undo|\bcp\b/u],
	[/\brolled\b.{0,40}\bback\b|\breverted\b|zurückgesetzt|回滚|ロールバック/u, /revert|roll.?back|reset|checkout|undo|restor/u],
	[
		/\brolled\b.{0,40}\bout\b|deploy|bereitgestellt|ausgerollt|déploy|desplegad|implantad|部署|デプロイ/u,
		/deploy|rollout|publish|releas|kubectl (?:apply|set)|\bhelm\b|terraform apply|vercel|netlify|heroku|ansible|compose up/u,
	],
	[/\bsigned\b|unterschrieben|signé|firmat|firmad|firmé|assin/u, /sign|gpg/u],
	[/\b(?:upgraded|migrated)\b/u, /upgrad|update|install|migrat|alembic|prisma|flyway/u],
];

/** True if a text in lower case mentions one of the topics. */
export function hasTopic(text: string): boolean {
	return TOPICS.some((topic) => topic.test(text));
}

/**
 * The topics of some calls, taken from their words. A call and a sentence are about the same thing if both mention one of the topics above,
 * if the call's words are listed for what the sentence says was done, or if a word of one begins with a word of the other, as "installiert"
 * begins with "install".
 */
export class Topics {
	readonly #topics: readonly RegExp[];
	readonly #said: readonly RegExp[];
	readonly #roots: ReadonlySet<string>;
	readonly #beginnings: ReadonlySet<string>;

	constructor(words: readonly string[]) {
		const called = words.map((each) => each.toLowerCase());
		this.#topics = TOPICS.filter((topic) => called.some((each) => topic.test(each)));
		this.#said = BY_OTHER_WORDS.filter(([, of]) => called.some((each) => of.test(each))).map(([said]) => said);
		this.#roots = new Set(called.flatMap(rootsOf));
		this.#beginnings = new Set([...this.#roots].flatMap(beginningsOf));
	}

	/** True if one of the calls is about the same thing as the sentence, which is in lower case. */
	include(sentence: string): boolean {
		if ([...this.#topics, ...this.#said].some((topic) => topic.test(sentence))) return true;
		return rootsOf(sentence).some(
			(root) => this.#roots.has(root) || this.#beginnings.has(root) || beginningsOf(root).some((beginning) => this.#roots.has(beginning)),
		);
	}
}

/** The beginnings of a word that are long enough to count as the same word. */
function beginningsOf(root: string): readonly string[] {
	return Array.from({ length: Math.max(0, root.length - SHORTEST) }, (_, index) => root.slice(0, SHORTEST + 1 + index));
}

/** Shorter words say little, and words of this length are compared as a whole. */
const SHORTEST = 3;
/** How much of a word is compared: a call's text may be one long word. */
const LONGEST = 40;
/** The maximum number of words of a text that are compared. */
const COMPARED = 40;
/** Words that say nothing about what a sentence is about. */
const COMMON: ReadonlySet<string> = new Set(
	"this that with your have been done from into also them they then were will successfully successful file true false null made make test tool task user call name command script".split(
		" ",
	),
);

/** The words of a text that may say what it is about, without their English endings. */
function rootsOf(text: string): readonly string[] {
	const words = (text.match(/\p{L}{4,}/gu) ?? []).map((word) => word.replace(/(?:ing|ed|es|s|d|e)$/, ""));
	const telling = words.filter((word) => word.length >= SHORTEST && !COMMON.has(word));
	return telling.slice(0, COMPARED).map((word) => word.slice(0, LONGEST));
}
