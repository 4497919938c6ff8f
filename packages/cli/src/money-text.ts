/** US dollars as people write them: a decimal number of at least two digits after the point, never with an exponent. */
export function moneyText(usd: number): string {
  return usd === 0 ? "0" : usd.toFixed(9).replace(/0{1,7}$/, "");
}
