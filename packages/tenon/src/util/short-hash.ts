const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Nine letters and digits that a text always gives: two FNV-1a hashes (http://www.isthe.com/chongo/tech/comp/fnv/). Not for secrets. */
export function shortHash(text: string): string {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < text.length; i++) {
    low = Math.imul(low ^ text.charCodeAt(i), 0x01000193) >>> 0;
    high = Math.imul(high ^ (text.charCodeAt(i) + i), 0x01000193) >>> 0;
  }
  let hash = "";
  for (let rest = BigInt(low) * 0x100000000n + BigInt(high); hash.length < 9; rest /= 62n)
    hash += ALPHABET[Number(rest % 62n)];
  return hash;
}
