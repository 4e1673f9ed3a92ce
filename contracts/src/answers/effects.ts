import type { ActivityItem } from "../activity/activity.ts";
import { ranCheck } from "./commands.ts";
import { isFileName } from "./file-name.ts";
import { namesCheck } from "./passed.ts";

/**
 * What is evidence for a claim. `file`: something was written. `removal`: something is gone. `message`: something was sent. `other`: a call
 * about the same thing. `any`: any call, because the claim says no more than that something was done. `tests`, `build`, `command`: a command
 * was run, whatever its outcome. `looked`: something was checked, so any call that may have read it is enough.
 */
export type EffectKind = "file" | "removal" | "message" | "other" | "any" | "tests" | "build" | "command" | "looked";

/** Beginnings of words in six languages, and Chinese and Japanese characters that may occur anywhere in a clause. */
export const REMOVAL =
	/^(?:delet|eras|remov(?:ed|id)|gelösch|löschte|entfernt|supprim|effac|retir|elimin|borr|quitad|exclu[ií]|apag|rimoss|cancellat|cancellai)|删除|移除|刪除|删|削除|消/u;
export const MESSAGE =
	/^(?:(?:re-?)?sent$|e-?mailed|mailed|messaged|texted|notif|invit|forwarded|replied|dispatched|reminded|gesendet|sendete|geschickt|schickte|verschickt|versendet|versandt|gemailt|benachrichtigt|weitergeleitet|eingeladen|envoy|expédi|prévenu|transmis|(?:re)?envi[aoóé]|enviei|mandad|mandat|avisad|encaminh|convid|inviat|inviai|spedit|avvisat|inoltrat)|发送|发出|发给|寄出|發送|通知|邀请|送信|送付|送り|送っ|招待|转发|転送/u;
const ANY =
	/^(?:finished|complete|done$|fertig|abgeschlossen|erledigt|vollendet|fait|fini|termin|achev|hech|list[oa]$|finaliz|feit|conclu|pront|fatt|executed|performed|processed|succeeded|ausgeführt|durchgeführt|effectu|exécut|réalis|realiz|efetu|execut|eseguit|effettuat|ejecut)|完成|搞定|办妥|办好|完了|終わり|済/u;
/** Verbs for checking something. */
const LOOKED =
	/^(?:verif|vérif|validat|(?:re-?)?test|testat|testad|testé|testei|getestet|prob[aé]|double-check|triple-check|cross-check)|验证|検証/u;
/** Verbs for running a command. */
const RAN = /^(?:re-?)?(?:ran|run)$|^(?:executed|ausgeführt|lancé|exécut|ejecut|execut|eseguit|rodei)|运行|跑|执行|実行/u;
/** Effects whose participle could also be about a file, but for which only a call about the same thing is evidence. */
const BY_COMMAND =
	/^(?:committed|pushed|merged|installed|uploaded|installiert|hochgeladen|install|instal|télévers|subid|carregad|caricat)/u;
/** Participles for changes to a text. Their evidence is a changed file, whatever the text is about. */
const EDITED =
	/^(?:fix|chang|edit|modif|configur|implement|wrote|written|generat|built|renam|replac|copied|insert|behoben|geändert|bearbeitet|geschrieben|konfiguriert|ersetzt|kopiert|corrig|écrit|génér|renomm|remplac|escrit|cambiad|reemplaz|alterad|substitu|scritt|cambiat|sostituit|rinominat)/u;

/** Things outside of files that an effect can concern. A call concerns the same thing if its words name it too. */
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
const REMOVES =
	/\b(?:rm|rmdir|unlink|del|delet\w*|remov\w*|eras\w*|trash|drop|prune|uninstall|purge|gelöscht|löschen|supprim\w*|clean)\b|-delete\b|\bgit (?:branch|tag) -d\b/iu;
const SENDS =
	/mail|smtp|\bsms\b|send|sent|messag|notif|slack|discord|telegram|whatsapp|twilio|\bpost(?:ed|ing)?\b|comment|repl(?:y|ied)|invit|forward|tweet|webhook/iu;
const WRITES = /writ|creat|sav|edit|updat|add|put|generat|replac|append|copy|insert|modif/iu;
export const FILES =
	/\b(?:files?|folders?|director(?:y|ies)|dateien?|ordner|fichiers?|dossiers?|archivos?|carpetas?|arquivos?|pastas?|cartell[ae])\b|文件|ファイル/u;

/** Whether words mention files in general, or one by its name. */
export function isAboutFile(words: readonly string[]): boolean {
	return FILES.test(words.join(" ")) || words.some(isFileName);
}

/** Whether a participle says on its own that something was removed or sent. */
export function isOwnEffect(act: string): boolean {
	return REMOVAL.test(act) || MESSAGE.test(act);
}

/** The kinds of evidence that a claim in these words needs. `sentence`: the whole sentence, in lower case. Pure. */
export function kindsOf(acts: readonly string[], sentence: string, isOfFile: boolean): ReadonlySet<EffectKind> {
	if (acts.length === 0) return new Set([hasTopic(sentence) ? "other" : "any"]);
	return new Set(acts.flatMap((act) => kindsOfAct(act, sentence, isOfFile)));
}

function kindsOfAct(act: string, sentence: string, isOfFile: boolean): readonly EffectKind[] {
	const special = [...(REMOVAL.test(act) ? ["removal" as const] : []), ...(MESSAGE.test(act) ? ["message" as const] : [])];
	if (special.length > 0) return special;
	if (LOOKED.test(act)) return ["looked"];
	const check = RAN.test(act) ? (["tests", "build"] as const).find((one) => namesCheck(one, sentence)) : undefined;
	if (check !== undefined) return [check];
	if (/^(?:re-?)?(?:ran|run)$/u.test(act)) return ["command"];
	if (ANY.test(act)) return [hasTopic(sentence) ? "other" : "any"];
	if (BY_COMMAND.test(act)) return ["other"];
	if (EDITED.test(act) || isOfFile) return ["file"];
	return [isMade(act) && !hasTopic(sentence) ? "file" : "other"];
}

/** Participles that may describe a file or anything else. */
const MADE =
	/^(?:creat|made|updat|add|saved|stored|record|put|erstell|angelegt|aktualis|hinzugef|gespeich|erzeugt|export|moved|verschoben|eingerichtet|gebaut|eingefügt|ergänzt|angepasst|cré|ajout|enregistr|déplac|complét|mis|cread|añad|agreg|guard|actualiz|movid|criad|adicion|atualiz|salv|gerad|creat|aggiun|aggiorn|spostat|generat)|创建|建立|新建|修改|更新|添加|写入|保存|作成|追加|更新|変更|修正|保存|生成|書き/u;

/** Whether a claim says no more than that something was checked. */
export function isLooked(acts: readonly string[]): boolean {
	return acts.length > 0 && acts.every((act) => LOOKED.test(act));
}

function isMade(act: string): boolean {
	return MADE.test(act);
}

function hasTopic(text: string): boolean {
	return TOPICS.some((topic) => topic.test(text));
}

/**
 * Whether the words of a call and a sentence are about the same thing: both mention one of the topics above, or a word of one begins with a
 * word of the other.
 */
function isRelated(words: string, sentence: string): boolean {
	const called = words.toLowerCase();
	if (TOPICS.some((topic) => topic.test(sentence) && topic.test(called))) return true;
	if (BY_OTHER_WORDS.some(([said, of]) => said.test(sentence) && of.test(called))) return true;
	const roots = rootsOf(called);
	return rootsOf(sentence).some((root) => roots.some((other) => isSameRoot(root, other)));
}

/**
 * True if the words are equal, or if both are longer than `SHORTEST` and one begins with the other, as "installiert" does with "install".
 */
function isSameRoot(one: string, other: string): boolean {
	return one === other || (Math.min(one.length, other.length) > SHORTEST && (one.startsWith(other) || other.startsWith(one)));
}

const SHORTEST = 3;
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
	return words.filter((word) => word.length >= SHORTEST && !COMMON.has(word)).slice(0, COMPARED);
}

/** A call that succeeded, with the files that it named, as far as they are known. */
export interface DoneCall extends Pick<ActivityItem, "toolId" | "words"> {
	readonly paths?: readonly string[] | undefined;
	/** True if its command only looks, or says what it would do: it is evidence for nothing but that something was done. */
	readonly isIdle?: boolean | undefined;
}

/** The kind of a call according to its agent, or `typed` for a typed tool's call. */
function kindOfCall({ toolId }: DoneCall): string {
	const at = toolId.indexOf(":");
	return at === -1 ? "typed" : toolId.slice(at + 1);
}

/** True if nothing can be said about where this call may have left files. */
export function isAnywhere(call: DoneCall): boolean {
	return call.isIdle !== true && !["edit", "delete", "move", "switch_mode"].includes(kindOfCall(call));
}

/** True if a call is evidence for a claim of this kind that names no file. Pure. */
export function isEvidence(kind: EffectKind, call: DoneCall, sentence: string): boolean {
	const { words } = call;
	const of = kindOfCall(call);
	const isSaid = isRelated(words, sentence);
	if (call.isIdle === true) return kind === "any" || kind === "looked" || kind === "command";
	switch (kind) {
		case "any":
		case "looked":
			return true;
		case "command":
			return of === "execute" || of === "typed" || of === "other";
		case "tests":
		case "build":
			return ranCheck(kind, words);
		case "file":
			if (of === "edit" || of === "move") return true;
			if (of === "execute") return isSaid || !(ranCheck("tests", words) || REMOVES.test(words) || SENDS.test(words));
			return isSaid || (of !== "delete" && of !== "switch_mode" && WRITES.test(words) && !SENDS.test(words));
		case "removal":
			if (hasTopic(sentence)) return isSaid;
			if (of === "edit") return !FILES.test(sentence);
			return of === "delete" || REMOVES.test(words);
		case "message":
			return of !== "edit" && of !== "delete" && of !== "move" && SENDS.test(words);
		case "other":
			return isSaid;
	}
}

/**
 * True if a call names this file, or removes its folder or a pattern, and is of a kind that could have removed it, or written it if
 * `isRemoved` is false. Pure.
 */
export function namesFile(call: DoneCall, file: string, isRemoved: boolean): boolean {
	const of = kindOfCall(call);
	const { words, paths = [] } = call;
	const name = fileName(file);
	const isNamed = paths.some((path) => isSameFile(path, file)) || tokensOf(words).some((token) => isSameFile(token, file));
	const isOfAll = isRemoved && of === "execute" && (words.includes("*") || hasFolder(words, file));
	if (!isNamed && !isOfAll) return false;
	if (name === "" || call.isIdle === true) return false;
	return isRemoved ? of === "delete" || of === "move" || REMOVES.test(words) : of !== "delete";
}

/** True if a command names one of the folders that contain a file, as "rm -r build" does for `build/old.txt`. */
function hasFolder(words: string, file: string): boolean {
	const folders = file
		.split("/")
		.slice(0, -1)
		.filter((part) => part !== "" && part !== "." && part !== "..");
	return tokensOf(words).some((token) => folders.includes(fileName(token.endsWith("/") ? token.slice(0, -1) : token)));
}

function tokensOf(words: string): readonly string[] {
	return words.split(/[\s"'`“”‘’()<>[\]{},;:|=]+/u).map((token) => (/[.…]$/.test(token) ? token.slice(0, -1) : token));
}

function fileName(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether two names may refer to the same file: they are equal, or one is the end of the other. */
export function isSameFile(one: string, other: string): boolean {
	const [long, short] = [one, other].map((path) => path.replace(/^(?:\.\/)+/, "")).sort((a, b) => b.length - a.length);
	if (long === undefined || short === undefined || short === "") return false;
	return long === short || long.endsWith(`/${short}`);
}
