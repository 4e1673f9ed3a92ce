import { useEffect, useState } from "react";

/** A wait that is shorter passes without a word. */
const SLOW_MS = 1_000;

/** Says what is being waited for once that takes longer than a second, to a screen reader too: its live region is there from the start. */
export function SlowWord({ word }: { readonly word: string }) {
	const [isSlow, setSlow] = useState(false);
	useEffect(() => {
		const timer = setTimeout(() => setSlow(true), SLOW_MS);
		return () => clearTimeout(timer);
	}, []);
	return <output className="muted slow-word">{isSlow && word}</output>;
}
