/** True on a Mac, an iPhone or an iPad, where keys have other names. */
export function isMac(): boolean {
	return /^(?:Mac|iP)/.test(navigator.platform);
}
