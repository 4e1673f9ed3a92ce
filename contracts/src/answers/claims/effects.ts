import { type PassedCheck, passedChecks } from "./claimed.ts";
import { isFileName } from "./file-name.ts";
import { namesCheck } from "./passed.ts";
import { hasTopic } from "./topics.ts";

/**
 * What is evidence for a claim. `file`: something was written. `removal`: something was removed. `message`: something was sent. `other`: a
 * call about the same thing. `any`: any call, because the claim says only that something was done. `command`, or a check: a command was
 * run, whatever its outcome. `looked`: something was checked, so any call that may have read it is enough.
 */
export type EffectKind = "file" | "removal" | "message" | "other" | "any" | PassedCheck | "command" | "looked";

/** Beginnings of words in six languages, and Chinese and Japanese characters that may occur anywhere in a clause. */
export const REMOVAL =
	/^(?:delet|eras|remov(?:ed|id)|gelösch|löschte|entfernt|supprim|effac|retir|elimin|borr|quitad|exclu[ií]|apag|rimoss|cancellat|cancellai)|删除|移除|刪除|删|削除|消/u;
export const MESSAGE =
	/^(?:(?:re-?)?sent$|e-?mailed|mailed|messaged|texted|notif|inform(?:ed|iert|é$|ei$|ado|ato)|(?:gegeben|gesagt)$|avis(?:é|ei)$|invit|forwarded|replied|dispatched|reminded|gesendet|sendete|geschickt|schickte|verschickt|versendet|versandt|gemailt|benachrichtigt|weitergeleitet|eingeladen|envoy|expédi|prévenu|transmis|(?:re)?envi[aoóé]|enviei|mandad|mandat|avisad|encaminh|convid|inviat|inviai|spedit|avvisat|inoltrat)|发送|发出|发给|寄出|發送|通知|告知|告诉|收件箱|邀请|送信|送付|送り|送っ|招待|知らせ|連絡|受信トレイ|受信箱|转发|転送/u;
const ANY =
	/^(?:finished|complete|done$|fertig|abgeschlossen|erledigt|vollendet|fait|fini|termin|achev|hech|list[oa]$|finaliz|feit|conclu|pront|fatt|executed|performed|processed|succeeded|ausgeführt|durchgeführt|effectu|exécut|réalis|realiz|efetu|execut|eseguit|effettuat|ejecut)|完成|搞定|办妥|办好|完了|終わり|済/u;
/** Verbs for checking something. */
const LOOKED =
	/^(?:verif|vérif|validat|(?:re-?)?test|testat|testad|testé|testei|getestet|prob[aé]|double-check|triple-check|cross-check)|验证|検証/u;
/** Verbs for running a command. */
const RAN = /^(?:re-?)?(?:ran|run)$|^(?:executed|ausgeführt|lancé|exécut|ejecut|execut|eseguit|rodei)|运行|跑|执行|実行/u;
/** Participles that may also be about a file. Their evidence is a call about the same thing; a changed file is not enough. */
const BY_COMMAND =
	/^(?:committed|pushed|merged|installed|uploaded|installiert|hochgeladen|install|instal|télévers|subid|carregad|caricat)/u;
/** Participles for changes to a text. Their evidence is a changed file, whatever the text is about. */
const EDITED =
	/^(?:fix|chang|edit|modif|configur|implement|wrote|written|generat|built|renam|replac|copied|insert|behoben|geändert|bearbeitet|geschrieben|konfiguriert|ersetzt|kopiert|corrig|écrit|génér|renomm|remplac|escrit|cambiad|reemplaz|alterad|substitu|scritt|cambiat|sostituit|rinominat)/u;

export const FILES =
	/\b(?:files?|folders?|director(?:y|ies)|dateien?|ordner|fichiers?|dossiers?|archivos?|carpetas?|arquivos?|pastas?|cartell[ae])\b|文件|ファイル/u;

/** Whether words mention files in general, or a file by its name. */
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
	const check = RAN.test(act) ? passedChecks.find((one) => namesCheck(one, sentence)) : undefined;
	if (check !== undefined) return [check];
	if (/^(?:re-?)?(?:ran|run)$/u.test(act)) return ["command"];
	if (ANY.test(act)) return [hasTopic(sentence) ? "other" : "any"];
	if (BY_COMMAND.test(act)) return ["other"];
	if (EDITED.test(act) || isOfFile) return ["file"];
	return [isMade(act) && !hasTopic(sentence) ? "file" : "other"];
}

/**
 * Acts that need a call of their own, whatever else the sentence is about. "Merged" and "ordered" are left out, because an edit can merge
 * helpers or order imports.
 */
const BY_OWN_CALL = /^(?:committed|pushed|deployed|published|released|bereitgestellt|veröffentlicht|déploy|desplegad|implantad|pubblicat)/u;

/** Whether a participle says on its own what a call has to be about: "pushed", "deployed". */
export function isOwnTopic(act: string): boolean {
	return BY_OWN_CALL.test(act);
}

/** Participles that may describe a file or anything else. */
const MADE =
	/^(?:creat|made|updat|add|saved|stored|record|put|erstell|angelegt|aktualis|hinzugef|gespeich|erzeugt|export|moved|verschoben|eingerichtet|gebaut|eingefügt|ergänzt|angepasst|cré|ajout|enregistr|déplac|complét|mis|cread|añad|agreg|guard|actualiz|movid|criad|adicion|atualiz|salv|gerad|creat|aggiun|aggiorn|spostat|generat)|创建|建立|新建|修改|更新|添加|写入|保存|作成|追加|更新|変更|修正|保存|生成|書き/u;

/** Whether a claim says only that something was checked. */
export function isLooked(acts: readonly string[]): boolean {
	return acts.length > 0 && acts.every((act) => LOOKED.test(act));
}

function isMade(act: string): boolean {
	return MADE.test(act);
}
