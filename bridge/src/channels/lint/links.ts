import type { LintFinding } from "@xworkmate/contracts";
import type { Token } from "markdown-it";
import { excerptOf, first, type LintCheck } from "./lint-check.ts";
import { type InlinePiece, inlinePieces } from "./parsed-markdown.ts";
import { shownPlaces, targetPlace, urlOf } from "./shown-places.ts";

/** HTML elements that would fetch what they show. Every channel sends them as text. */
const FETCHING = /<(?:img|image|picture|source|video|audio|iframe|object|embed)(?=[\s/>])/gi;
/** A scheme at the end of the text before an address. */
const SCHEME = /[a-z][a-z0-9+.-]{0,19}$/i;
const AUTHORITY = /[^\s/\\?#<>()[\]"'`]*/y;

interface Link {
	/** The text that the reader sees. */
	readonly shown: string;
	readonly target: string;
}

/**
 * Finds remote pictures. No channel sends a message that loads them: their address is sent as a link or as text, so the
 * recipient doesn't see what the writer meant to show. An address of this kind may also have been given to the agent to carry data out.
 */
export const remoteImage: LintCheck = (text) => first(remoteImages(text));

/** Finds links whose text shows a different address from the one that they open. */
export const linkText: LintCheck = (text) => first(misleadingLinks(text));

/** Finds addresses that contain a user name or password. The finding does not quote them. */
export const credentials: LintCheck = (text) => {
	const found = [...first(signInData(text)), ...first(signInTargets(text))];
	return first(found.filter(({ excerpt }, index) => found.findIndex((other) => other.excerpt === excerpt) === index));
};

function* remoteImages(text: string): Generator<LintFinding> {
	for (const piece of inlinePieces(text)) {
		for (const token of piece.children) {
			if (token.type === "text") {
				for (const { 0: element } of token.content.matchAll(FETCHING)) {
					yield { rule: "remote_image", at: placeOf(text, piece, element), excerpt: excerptOf(`${element} …>`) };
				}
			}
			const source = token.type === "image" ? attributeOf(token, "src") : "data:";
			if (!/^data:/i.test(source)) yield { rule: "remote_image", at: placeOf(text, piece, source, "!["), excerpt: excerptOf(source) };
		}
	}
}

function* misleadingLinks(text: string): Generator<LintFinding> {
	for (const piece of inlinePieces(text)) {
		for (const { shown, target } of linksOf(piece.children)) {
			const place = targetPlace(target);
			if (shownPlaces(shown).every((one) => one === place)) continue;
			yield { rule: "link_text", at: placeOf(text, piece, shown, "["), excerpt: excerptOf(`${shown.slice(0, 60)} → ${place}`) };
		}
	}
}

function* signInData(text: string): Generator<LintFinding> {
	for (let at = text.indexOf("://"); at !== -1; at = text.indexOf("://", at + 3)) {
		AUTHORITY.lastIndex = at + 3;
		const authority = AUTHORITY.exec(text)?.[0] ?? "";
		const end = authority.lastIndexOf("@");
		if (end === -1) continue;
		const scheme = SCHEME.exec(text.slice(Math.max(0, at - 20), at))?.[0] ?? "";
		yield { rule: "credentials", at: at - scheme.length, excerpt: excerptOf(`${scheme}://…@${authority.slice(end + 1, end + 101)}`) };
	}
}

/** Finds user names and passwords in the targets of links and pictures, which may be written with entities or without slashes. */
function* signInTargets(text: string): Generator<LintFinding> {
	for (const piece of inlinePieces(text)) {
		const images = piece.children.filter(({ type }) => type === "image").map((image) => attributeOf(image, "src"));
		for (const target of [...images, ...linksOf(piece.children).map((link) => link.target)]) {
			const url = urlOf(target);
			if (url === null || (url.username === "" && url.password === "")) continue;
			yield { rule: "credentials", at: piece.from, excerpt: excerptOf(`${url.protocol}//…@${url.host}`) };
		}
	}
}

/** The links of a run of text. */
function linksOf(tokens: readonly Token[]): readonly Link[] {
	const links: Link[] = [];
	let open: { target: string; shown: string[] } | undefined;
	for (const token of tokens) {
		if (token.type === "link_open") open = { target: attributeOf(token, "href"), shown: [] };
		else if (token.type === "link_close" && open !== undefined) {
			links.push({ target: open.target, shown: open.shown.join("") });
			open = undefined;
		} else open?.shown.push(token.content === "" && token.type.endsWith("break") ? " " : token.content);
	}
	return links;
}

function attributeOf(token: Token, attribute: string): string {
	return String(token.attrGet(attribute) ?? "");
}

/** Where a link or picture is: at the first of its written forms that is found, or else where the block begins. */
function placeOf(text: string, { from, to }: InlinePiece, ...written: readonly string[]): number {
	const block = text.slice(from, to);
	const at = written
		.filter((one) => one !== "")
		.map((one) => block.indexOf(one))
		.find((index) => index !== -1);
	return from + (at ?? 0);
}
