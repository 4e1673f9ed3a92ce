import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { words } from "../../strings/interface.ts";
import { Icon } from "./icon.tsx";

const SAID_MS = 2_000;

interface CopyButtonProps {
	/** The text for the clipboard. */
	readonly text: string | (() => string);
	/** The name of what is copied. Screen readers read it, because they announce the button out of context. */
	readonly label: string;
	/** The button's visible label; without one, it shows only an icon. */
	readonly word?: string;
}

/** Copies a text, then says so for two seconds. */
export function CopyButton({ text, label, word }: CopyButtonProps) {
	const [isCopied, setCopied] = useState(false);
	useEffect(() => {
		if (!isCopied) return;
		const timer = setTimeout(() => setCopied(false), SAID_MS);
		return () => clearTimeout(timer);
	}, [isCopied]);
	const copy = () => void navigator.clipboard.writeText(typeof text === "string" ? text : text()).then(() => setCopied(true));
	return (
		<button
			type="button"
			className={word === undefined ? "ib" : "btn quiet"}
			aria-label={isCopied ? words.copy.copied : label}
			title={label}
			onClick={copy}
		>
			<Icon of={isCopied ? Check : Copy} small />
			{word !== undefined && (isCopied ? words.copy.copied : word)}
		</button>
	);
}
