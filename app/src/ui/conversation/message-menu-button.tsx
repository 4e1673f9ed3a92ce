import { Ellipsis } from "lucide-react";
import type { MouseEvent } from "react";
import { menuWords } from "../../strings/threads/menu-words.ts";
import { Icon } from "../components/icon.tsx";
import { useStore } from "../connection/store.ts";
import { type MenuOf, messageMenu } from "./message-menu-state.ts";

/** The button that opens the menu of a message or an answer. */
export function MessageMenuButton({ of }: { readonly of: MenuOf }) {
	const open = useStore(messageMenu);
	const isOpen =
		open?.isOpen === true && open.detail.turn.turnId === of.detail.turn.turnId && (open.answer === undefined) === (of.answer === undefined);
	return (
		<button
			type="button"
			className="ib more-of"
			data-message-menu=""
			aria-label={of.answer === undefined ? menuWords.ofMessage : menuWords.ofAnswer}
			aria-haspopup="menu"
			aria-expanded={isOpen}
			onClick={({ currentTarget }) => messageMenu.set({ ...of, button: currentTarget, isOpen: true })}
		>
			<Icon of={Ellipsis} />
		</button>
	);
}

/** Elements for which the browser's own menu is more useful. */
const OWN_MENU = "a, button:not([data-message-menu]), input, textarea, select, img, video, audio, pre";

/**
 * A right click, a long press, Shift+F10 or the menu key opens the same menu. Selected text, links, other buttons, images and media, code
 * and fields keep the browser's own menu, as does a right click with Shift.
 */
export function openOnContext(event: MouseEvent<HTMLElement>, of: MenuOf): void {
	const { target, currentTarget, clientX: x, clientY: y, shiftKey } = event;
	const button = currentTarget.querySelector<HTMLElement>("[data-message-menu]");
	const isKey = event.button !== 2;
	if (button === null || !(target instanceof Element) || (shiftKey && !isKey)) return;
	if (target.closest(OWN_MENU) !== null || getSelection()?.isCollapsed === false) return;
	event.preventDefault();
	messageMenu.set({ ...of, button, isOpen: true, ...(!isKey && { point: { x, y } }) });
}
