//! Reads the wire format.

use std::collections::HashMap;
use crate::frame::{Frame, Header as Head};
extern crate serde;

pub const LIMIT: usize = 10;
static mut COUNTER: u32 = 0;

/// A point.
#[derive(Debug, Clone)]
pub struct Point<T> {
    pub x: T,
    y: T,
}

pub struct Unit;

pub enum Shape {
    Circle(f64),
    Square { side: f64 },
}

union Bits {
    a: u32,
    b: f32,
}

pub trait Area {
    const SIDES: u32;
    type Out;
    fn area(&self) -> f64;
    fn name(&self) -> String {
        "shape".into()
    }
}

impl<T: Copy> Point<T> {
    pub const ORIGIN: u32 = 0;

    /// Makes one.
    pub fn new(x: T, y: T) -> Self {
        fn helper() {}
        Point { x, y }
    }
}

impl Area for Shape {
    const SIDES: u32 = 4;
    type Out = f64;
    fn area(&self) -> f64 {
        0.0
    }
}

type Map = HashMap<String, Shape>;

mod inner {
    pub async fn go() {}
}

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

#[cfg(test)]
mod tests {
    #[test]
    fn works() {}
}
